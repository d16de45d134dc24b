package io.delaybridge.connect.callback;

/**
 * The record headers of callbacks, beyond those of the bridge. For the bridge they are headers of
 * the producer like any other and pass through it. UTF-8 text, numbers decimal.
 */
public final class CallbackHeaders {

  /** Which URL to call, instead of the configured one. Written by the producer. */
  public static final String URL = "delay-callback-url";

  /** Which attempt this record is for, from 2. Written on retries. */
  public static final String ATTEMPT = "delay-callback-attempt";

  /**
   * What names the message over all attempts: the {@code delay-source} of the first one, with the
   * number of the occurrence behind it if the message repeats, or where it was read if it had none.
   * Written on retries.
   */
  public static final String SOURCE = "delay-callback-source";

  /** The {@code delay-id} of the first attempt, if it had one. Written on retries. */
  public static final String ID = "delay-callback-id";

  private CallbackHeaders() {}
}
