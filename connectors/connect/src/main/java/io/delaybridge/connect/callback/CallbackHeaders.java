package io.delaybridge.connect.callback;

import io.delaybridge.schemas.DelayHeaders;

/**
 * The record headers of callbacks, beyond those of the bridge. The bridge passes them through like
 * any other header of the producer. The values are UTF-8 text, with decimal numbers.
 */
public final class CallbackHeaders {

  /** The URL to call instead of the configured one. Written by the producer. */
  public static final String URL = DelayHeaders.CALLBACK_URL;

  /** The number of the attempt that this record is for, from 2. Written on retries. */
  public static final String ATTEMPT = DelayHeaders.CALLBACK_ATTEMPT;

  /**
   * The identity of the message over all attempts: the {@code delay-source} of the first one,
   * followed by the number of the occurrence if the message repeats. If it had no source, the place
   * where it was read. Written on retries.
   */
  public static final String SOURCE = DelayHeaders.CALLBACK_SOURCE;

  /** The {@code delay-id} of the first attempt, if it had one. Written on retries. */
  public static final String ID = DelayHeaders.CALLBACK_ID;

  private CallbackHeaders() {}
}
