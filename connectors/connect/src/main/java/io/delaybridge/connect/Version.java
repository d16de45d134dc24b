package io.delaybridge.connect;

/** The version of the plugins, as a worker shows it. */
final class Version {

  private Version() {}

  /** From the manifest of the jar; classes that are in none have "0". */
  static String get() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }
}
