package io.delaybridge.bench.others;

import java.util.function.LongConsumer;

/** A system that delivers messages later. */
interface Rival extends AutoCloseable {

  /**
   * Schedules a message in the fastest documented way, without waiting for the result.
   *
   * @param value the content, which begins with the due time as 8 bytes
   * @param due the due time in epoch milliseconds
   */
  void schedule(byte[] value, long due) throws Exception;

  /** Waits until all scheduled messages are safe. */
  void flush() throws Exception;

  /**
   * Waits briefly for due messages and passes on the due time of each one as soon as it arrives.
   */
  void receive(LongConsumer due) throws Exception;

  /** Returns the used bytes of the memory that holds most of the data of pending messages. */
  long bytes() throws Exception;

  @Override
  void close();
}
