package io.delaybridge.connect;

/** The version of the plugins, as a worker shows it. */
final class Version {

  private Version() {}

  /** Returns the version from the manifest of the jar, or "0" for classes outside a jar. */
  static String get() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }
}
