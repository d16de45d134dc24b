package io.delaybridge;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LaterTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads later topics with a consumer that is made when it is first needed. Reading never waits. The
 * consumer fetches from the partition that is asked for, and from those that gave records when they
 * were asked last: so the next records of these are there when they are asked again. It fetches
 * from none while nobody asks.
 */
final class KafkaLaterTopic implements LaterTopic {

  private static final long NOT_ASKED = -1;

  /** By default it would be ten seconds, if a broker is silent. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Supplier<Consumer<byte[], byte[]>> makes;
  private final Set<String> intakes;
  private final Map<TopicPartition, Place> places = new HashMap<>();
  private @Nullable Consumer<byte[], byte[]> consumer;

  /** How far a partition was read. */
  private static final class Place {

    /** Offset behind what was handed out. */
    private long at = NOT_ASKED;

    /** What was handed out last: it may be asked for again. */
    private List<ConsumerRecord<byte[], byte[]>> given = List.of();

    /** The following records, as far as they were read ahead. */
    private List<ConsumerRecord<byte[], byte[]>> ahead = List.of();

    /** Offset behind what was read ahead. */
    private long next = NOT_ASKED;

    /** It gave records when it was asked last. */
    private boolean flows;

    /** Reading it with others has failed. */
    private boolean alone;

    void seek(long from) {
      at = from;
      next = from;
      given = List.of();
      ahead = List.of();
      flows = false;
    }

    /** Whether the records from there on are those that are read next, or were handed out last. */
    boolean isAt(long from) {
      if (from < at && !given.isEmpty() && from >= given.get(0).offset()) {
        List<ConsumerRecord<byte[], byte[]>> again = new ArrayList<>();
        given.stream().filter(record -> record.offset() >= from).forEach(again::add);
        again.addAll(ahead);
        ahead = again;
        at = from;
      }
      return from == at;
    }

    void read(List<ConsumerRecord<byte[], byte[]>> records, long behind) {
      ahead = records;
      next = behind;
    }

    List<ConsumerRecord<byte[], byte[]>> take(int most) {
      int count = Math.min(most, ahead.size());
      List<ConsumerRecord<byte[], byte[]>> taken = ahead.subList(0, count);
      ahead = ahead.subList(count, ahead.size());
      at = ahead.isEmpty() ? next : ahead.get(0).offset();
      flows = !taken.isEmpty();
      given = taken;
      return taken;
    }
  }

  /**
   * Uses a consumer of this supplier.
   *
   * @param intakes the intakes that have a later topic
   */
  KafkaLaterTopic(Supplier<Consumer<byte[], byte[]>> consumer, Set<String> intakes) {
    this.makes = consumer;
    this.intakes = Set.copyOf(intakes);
  }

  @Override
  public boolean exists(String intake) {
    return intakes.contains(intake);
  }

  @Override
  public Read read(ShardId shard, long from, int most) {
    TopicPartition wanted = LaterTopic.partition(shard);
    Consumer<byte[], byte[]> reader = reader();
    Place place = places.get(wanted);
    if (place == null) {
      place = new Place();
      places.put(wanted, place);
      reader.assign(places.keySet());
    }
    if (!place.isAt(from)) {
      reader.seek(wanted, from);
      place.seek(from);
    }
    boolean more = true;
    while (place.ahead.isEmpty() && more) {
      more = poll(reader, wanted, place);
    }
    List<ConsumerRecord<byte[], byte[]>> records = place.take(most);
    return new Read(records, place.at);
  }

  /** Returns false if there was nothing. A poll may bring the records of others only. */
  private boolean poll(Consumer<byte[], byte[]> reader, TopicPartition wanted, Place place) {
    Set<TopicPartition> asked = new HashSet<>(Set.of(wanted));
    if (!place.alone) {
      places.forEach(
          (partition, other) -> {
            if (other.flows && other.ahead.isEmpty()) {
              asked.add(partition);
            }
          });
    }
    reader.pause(places.keySet());
    reader.resume(asked);
    ConsumerRecords<byte[], byte[]> polled;
    try {
      polled = reader.poll(Duration.ZERO);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      if (asked.size() == 1) {
        throw e;
      }
      // It may be about another one: nothing is read ahead, and this one is asked alone.
      places.values().forEach(each -> each.flows = false);
      place.alone = true;
      return false;
    }
    place.alone = false;
    // Not position() of the consumer: it waits for a partition that has no leader.
    places.forEach(
        (partition, each) -> {
          OffsetAndMetadata next = polled.nextOffsets().get(partition);
          if (next != null) {
            each.read(polled.records(partition), next.offset());
          }
        });
    return !polled.isEmpty();
  }

  @Override
  public long start(ShardId shard) {
    TopicPartition partition = LaterTopic.partition(shard);
    return reader().beginningOffsets(Set.of(partition)).getOrDefault(partition, 0L);
  }

  private Consumer<byte[], byte[]> reader() {
    Consumer<byte[], byte[]> reader = consumer;
    if (reader == null) {
      reader = makes.get();
      consumer = reader;
    }
    return reader;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
  }
}
