package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Files of the class path. */
public final class Resources {

  private Resources() {}

  /**
   * Reads one that is beside a class.
   *
   * @param why it is missing, if it is
   * @throws StackException if it is missing
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
