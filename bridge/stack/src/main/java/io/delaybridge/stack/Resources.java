package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Files on the class path. */
public final class Resources {

  private Resources() {}

  /**
   * Reads a file in the package of a class.
   *
   * @param why the reason to report if the file is missing
   * @throws StackException if the file is missing
   */
  public static byte[] read(Class<?> beside, String name, String why) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new StackException(name + " is missing: " + why);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
