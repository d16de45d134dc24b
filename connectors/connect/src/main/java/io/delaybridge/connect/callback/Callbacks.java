package io.delaybridge.connect.callback;

import io.delaybridge.connect.http.AddressGuard;
import io.delaybridge.connect.http.CallbackClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * All callbacks of a task: the records it was given, those that are finished, and whether it can go
 * on. For the thread of the task only.
 */
public final class Callbacks implements AutoCloseable {

  /** Batches that may wait behind those in progress, so that no call waits for the next poll. */
  private static final int AHEAD = 4;

  /**
   * The most records that the next owner may have to call again because one before them is slow.
   */
  private static final long WIDEST_SPAN = 10_000;

  private final Dispatcher dispatcher;
  private final Outbox outbox;
  private final CallbackClient client;
  private final int room;
  private final Map<TopicPartition, Progress> parts = new HashMap<>();
  private final AtomicReference<Throwable> broken;

  private Callbacks(
      Dispatcher dispatcher,
      Outbox outbox,
      CallbackClient client,
      int room,
      AtomicReference<Throwable> broken) {
    this.dispatcher = dispatcher;
    this.outbox = outbox;
    this.client = client;
    this.room = room;
    this.broken = broken;
  }

  /** Starts the HTTP client and the producer. */
  public static Callbacks start(CallbackConfig config) {
    InstantSource clock = InstantSource.system();
    AtomicReference<Throwable> broken = new AtomicReference<>();
    Consumer<Throwable> first = failure -> broken.compareAndSet(null, failure);
    CallbackClient client =
        CallbackClient.start(config.http(), new AddressGuard(config.addresses()), clock);
    Outbox outbox;
    try {
      outbox =
          new Outbox(
              new KafkaProducer<>(
                  config.producer(), new ByteArraySerializer(), new ByteArraySerializer()),
              config.settings().topics().all(),
              first);
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
    Courier courier =
        new Courier(
            config.settings(),
            client::post,
            outbox::send,
            clock,
            // Called on many threads.
            () -> ThreadLocalRandom.current().nextLong(),
            first);
    Dispatcher dispatcher = new Dispatcher(config.concurrency(), config.perKey(), courier, first);
    return new Callbacks(dispatcher, outbox, client, AHEAD * config.concurrency(), broken);
  }

  /**
   * Takes all these records.
   *
   * @throws ConnectException if a follow-up could not be written, or a call could not be brought to
   *     its end, so that the task must not go on, or if a record was not converted to bytes
   */
  public void add(Collection<SinkRecord> records) {
    Throwable failure = broken.get();
    if (failure != null) {
      throw new ConnectException("The task cannot finish a record: " + failure, failure);
    }
    List<Item> items = new ArrayList<>(records.size());
    for (SinkRecord sink : records) {
      CallbackRecord record = CallbackRecord.of(sink);
      Progress progress = parts.computeIfAbsent(record.partition(), partition -> new Progress());
      items.add(new Item(record, progress));
    }
    items.forEach(item -> item.progress().begin(item.record().offset()));
    dispatcher.add(items);
  }

  /**
   * Waits until there is room for more.
   *
   * @return whether there is room, and no partition is too far beyond its first unfinished offset
   */
  public boolean awaitRoom(Duration limit) throws InterruptedException {
    return dispatcher.awaitBacklog(room, limit)
        && parts.values().stream().allMatch(progress -> progress.span() <= WIDEST_SPAN);
  }

  /**
   * Returns the offset up to which each partition may be committed.
   *
   * @param read the offset up to which each was read
   */
  public Map<TopicPartition, OffsetAndMetadata> finished(
      Map<TopicPartition, OffsetAndMetadata> read) {
    Map<TopicPartition, OffsetAndMetadata> finished = new HashMap<>(read);
    finished.replaceAll(
        (partition, end) -> {
          Progress progress = parts.get(partition);
          OptionalLong first = progress == null ? OptionalLong.empty() : progress.firstUnfinished();
          return first.isPresent() && first.getAsLong() < end.offset()
              ? new OffsetAndMetadata(first.getAsLong())
              : end;
        });
    return finished;
  }

  /** Gives up these partitions, which this task no longer owns. */
  public void abandon(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      Progress progress = parts.remove(partition);
      if (progress != null) {
        progress.close();
      }
    }
  }

  @Override
  public void close() {
    abandon(List.copyOf(parts.keySet()));
    try (outbox) {
      client.close();
    }
  }
}
