package io.delaybridge.bench.others;

import java.util.function.LongConsumer;

/** Something that delivers a message later. */
interface Rival extends AutoCloseable {

  /**
   * Schedules one, as fast as is documented, without waiting for it.
   *
   * @param value begins with the due time as 8 bytes
   * @param due epoch milliseconds
   */
  void schedule(byte[] value, long due) throws Exception;

  /** Waits until all that was scheduled is safe. */
  void flush() throws Exception;

  /**
   * Waits a moment for what is due and hands over the due time of each message, as soon as it is
   * here.
   */
  void receive(LongConsumer due) throws Exception;

  /** Bytes that pending messages take, where they take most. */
  long bytes() throws Exception;

  @Override
  void close();
}
