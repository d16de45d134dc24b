package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.message.Due;
import io.delaybridge.message.RetryMark;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.store.ShardStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Deliveries and consumers that break one promise each. */
final class BrokenKafka {

  private BrokenKafka() {}

  static Map<String, SimWiring> all() {
    Map<String, SimWiring> all = new LinkedHashMap<>();
    all.put(
        "a checkpoint in a group without members",
        delivering((inner, parts) -> new OtherMember(inner, nobody())));
    all.put(
        "a transaction with the membership of its end, not of its take",
        delivering((inner, parts) -> new OtherMember(inner, parts.consumer)));
    all.put("a plain commit beside the transactions", delivering(PlainCommits::new));
    all.put("a plain commit after an abort", delivering(CommitsAnyway::new));
    all.put("records outside of their transaction", delivering(Outside::new));
    all.put("a successor outside of the transaction", delivering(LooseSuccessors::new));
    all.put("a successor that passes over an instant", delivering(LeapingSuccessors::new));
    all.put(
        "an unknown outcome that is guessed as not out",
        delivering(
            (inner, parts) ->
                new Guess(inner, (unknown, records) -> new Outcome.NotOut(unknown.cause()))));
    all.put(
        "an unknown outcome that is guessed as out",
        delivering((inner, parts) -> new Guess(inner, (unknown, records) -> out(records))));
    all.put(
        "a fenced commit that is taken for one that is out",
        delivering(
            (inner, parts) ->
                new Guess(
                    inner,
                    (unknown, records) ->
                        unknown.cause() instanceof ProducerFencedException
                            ? out(records)
                            : unknown)));
    all.put(
        "a pair that speaks of the end of the log, not of what the take saw",
        checkpoints(
            (pair, parts) ->
                new Pair(
                    Math.max(pair.below(), parts.kafka.logEnd(parts.partition)), pair.before())));
    all.put(
        "a pair that covers every key",
        checkpoints((pair, parts) -> new Pair(pair.below(), Due.NEVER)));
    all.put(
        "a pair that covers all that is due by now, taken or not",
        checkpoints((pair, parts) -> new Pair(pair.below(), new Due(parts.kafka.now() + 1, 0))));
    all.put(
        "a checkpoint that does not say what was judged",
        judged(laps -> new Laps(0, laps.copies())));
    all.put(
        "a checkpoint that says that more was judged",
        // Behind the marker of the transaction, and one copy.
        judged(laps -> laps.judged() == 0 ? laps : new Laps(laps.judged() + 2, laps.copies())));
    all.put("an intake that keeps a cancel for no lap", keeping(new Ledger.Kept(false, true)));
    all.put(
        "an intake that keeps a cancel for no copy that is home",
        keeping(new Ledger.Kept(true, false)));
    all.put("a checkpoint alone that has a pair it remembers", delivering(Remembering::new));
    all.put("a checkpoint that does not wait for a transaction", consuming(Impatient::new));
    all.put("a frontier that is kept when a partition comes back", consuming(Keeping::new));
    all.put("a checkpoint that is read without its pairs", consuming(Forgetful::new));
    all.put("a reader of what is not committed", consuming(Uncommitted::new));
    all.put("a reader that passes over malformed records", consuming(Selective::new));
    all.put("a malformed record that is due when it is read", consuming(Restamping::new));
    all.put("an intake that pauses below the frontier as well", new NoExemption());
    return all;
  }

  /** The objects that a delivery can look at. */
  record Parts(SimKafka kafka, SimConsumer consumer, TopicPartition partition) {}

  private static SimWiring delivering(BiFunction<Delivery, Parts, Delivery> broken) {
    return new SimWiring() {
      @Override
      Delivery delivery(Delivery delivery, SimKafka kafka, SimConsumer consumer) {
        return broken.apply(delivery, new Parts(kafka, consumer, RuleTest.P0));
      }
    };
  }

  private static SimWiring consuming(BiFunction<SimKafka, String, SimConsumer> broken) {
    return new SimWiring() {
      @Override
      SimConsumer consumer(SimKafka kafka, String name) {
        return broken.apply(kafka, name);
      }
    };
  }

  private static SimWiring keeping(Ledger.Kept kept) {
    return new SimWiring() {
      @Override
      Ledger.Kept kept() {
        return kept;
      }
    };
  }

  private static SimWiring checkpoints(BiFunction<Pair, Parts, Pair> how) {
    return rewriting((offset, parts) -> rewritten(offset, pair -> how.apply(pair, parts)));
  }

  /** Changes the state of the later topic in each checkpoint. */
  private static SimWiring judged(UnaryOperator<Laps> how) {
    return rewriting(
        (offset, parts) -> {
          Checkpoint before = parsed(offset);
          return with(offset, before, before.frontier(), how.apply(before.laps()));
        });
  }

  private static SimWiring rewriting(BiFunction<OffsetAndMetadata, Parts, OffsetAndMetadata> how) {
    return delivering(
        (inner, parts) ->
            new Passing(inner) {
              @Override
              public Outcome deliver(
                  List<ProducerRecord<byte[], byte[]>> records,
                  Packing packing,
                  Map<TopicPartition, OffsetAndMetadata> checkpoints,
                  ConsumerGroupMetadata group) {
                Map<TopicPartition, OffsetAndMetadata> changed = new HashMap<>();
                checkpoints.forEach(
                    (partition, offset) ->
                        changed.put(
                            partition,
                            how.apply(offset, new Parts(parts.kafka, parts.consumer, partition))));
                return super.deliver(records, packing, changed, group);
              }
            });
  }

  static OffsetAndMetadata rewritten(OffsetAndMetadata offset, UnaryOperator<Pair> how) {
    Checkpoint before = parsed(offset);
    Frontier frontier = Frontier.NONE;
    for (Pair pair : before.frontier().pairs()) {
      frontier = frontier.with(how.apply(pair));
    }
    return with(offset, before, frontier);
  }

  private static OffsetAndMetadata with(
      OffsetAndMetadata offset, Checkpoint before, Frontier frontier) {
    return with(offset, before, frontier, before.laps());
  }

  private static OffsetAndMetadata with(
      OffsetAndMetadata offset, Checkpoint before, Frontier frontier, Laps laps) {
    Checkpoint after =
        new Checkpoint(
            before.topicId(),
            before.seq(),
            frontier,
            before.admission(),
            before.born(),
            laps,
            before.paused());
    return new OffsetAndMetadata(offset.offset(), after.encode());
  }

  private static Checkpoint parsed(OffsetAndMetadata offset) {
    return Judge.parsed(offset.metadata());
  }

  private static SimConsumer nobody() {
    return new SimConsumer(new SimKafka(new SimClock(0)), "nobody");
  }

  // Deliveries.

  private static class Passing implements Delivery {
    final Delivery inner;

    Passing(Delivery inner) {
      this.inner = inner;
    }

    @Override
    public boolean isTransactional() {
      return inner.isTransactional();
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      return inner.deliver(records, packing, checkpoints, group);
    }

    @Override
    public Outcome commit(
        Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
      return isTransactional()
          ? deliver(List.of(), Packing.PLAIN, checkpoints, group)
          : inner.commit(checkpoints, group);
    }

    @Override
    public void prepare() {
      inner.prepare();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static final class OtherMember extends Passing {
    private final SimConsumer member;

    OtherMember(Delivery inner, SimConsumer member) {
      super(inner);
      this.member = member;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      return super.deliver(records, packing, checkpoints, member.groupMetadata());
    }
  }

  /** Commits the position without a checkpoint, like an automatic commit. */
  private static final class PlainCommits extends Passing {
    private final SimKafka kafka;

    PlainCommits(Delivery inner, Parts parts) {
      super(inner);
      this.kafka = parts.kafka;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      Outcome outcome = super.deliver(records, packing, checkpoints, group);
      checkpoints.forEach(
          (partition, offset) ->
              kafka.group().commit(partition, new OffsetAndMetadata(offset.offset())));
      return outcome;
    }
  }

  private static final class CommitsAnyway extends Passing {
    private final SimKafka kafka;

    CommitsAnyway(Delivery inner, Parts parts) {
      super(inner);
      this.kafka = parts.kafka;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      Outcome outcome = super.deliver(records, packing, checkpoints, group);
      if (outcome instanceof Outcome.NotOut) {
        checkpoints.forEach(kafka.group()::commit);
      }
      return outcome;
    }
  }

  private static final class Outside extends Passing {
    private final SimKafka kafka;

    Outside(Delivery inner, Parts parts) {
      super(inner);
      this.kafka = parts.kafka;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      if (!isTransactional()) {
        return super.deliver(records, packing, checkpoints, group);
      }
      List<RecordMetadata> written = new ArrayList<>();
      records.forEach(record -> written.add(kafka.append(record, false)));
      Outcome outcome = super.deliver(List.of(), packing, checkpoints, group);
      return outcome instanceof Outcome.Done ? new Outcome.Done(written) : outcome;
    }
  }

  private static boolean isSuccessor(ProducerRecord<byte[], byte[]> record) {
    return record.topic().equals(SimKafka.INTAKE)
        && record.headers().lastHeader(DelayHeaders.EVERY) != null;
  }

  /** Writes the successors of repeating messages outside the transaction. */
  private static final class LooseSuccessors extends Passing {
    private final SimKafka kafka;

    LooseSuccessors(Delivery inner, Parts parts) {
      super(inner);
      this.kafka = parts.kafka;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      if (!isTransactional()) {
        return super.deliver(records, packing, checkpoints, group);
      }
      List<ProducerRecord<byte[], byte[]>> rest =
          records.stream().filter(record -> !isSuccessor(record)).toList();
      Outcome outcome = super.deliver(rest, packing, checkpoints, group);
      if (!(outcome instanceof Outcome.Done done)) {
        return outcome;
      }
      List<RecordMetadata> written = new ArrayList<>(done.written());
      for (int i = 0; i < records.size(); i++) {
        if (isSuccessor(records.get(i))) {
          written.add(i, kafka.append(records.get(i), false));
        }
      }
      return new Outcome.Done(written);
    }
  }

  /** Makes the successors of repeating messages a second late. */
  private static final class LeapingSuccessors extends Passing {

    LeapingSuccessors(Delivery inner, Parts parts) {
      super(inner);
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      List<ProducerRecord<byte[], byte[]>> leaping =
          records.stream().map(record -> isSuccessor(record) ? leaping(record) : record).toList();
      return super.deliver(leaping, packing, checkpoints, group);
    }

    private static ProducerRecord<byte[], byte[]> leaping(ProducerRecord<byte[], byte[]> record) {
      RecordHeaders headers = new RecordHeaders(record.headers());
      Header at = headers.lastHeader(DelayHeaders.SCHEDULED_AT);
      RetryMark mark = RetryMark.parse(text(headers.lastHeader(DelayHeaders.RETRY))).orElseThrow();
      put(headers, DelayHeaders.SCHEDULED_AT, Long.parseLong(text(at)) + Occurrences.EVERY);
      put(
          headers,
          DelayHeaders.RETRY,
          new RetryMark(
              mark.kind(),
              mark.origin(),
              mark.attempt(),
              mark.due() + Occurrences.EVERY,
              mark.expiresAt()));
      return new ProducerRecord<>(
          record.topic(), record.partition(), record.key(), record.value(), headers);
    }

    private static String text(Header header) {
      return new String(header.value(), StandardCharsets.UTF_8);
    }

    private static void put(RecordHeaders headers, String name, Object value) {
      headers.remove(name);
      headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Assumes a known outcome where the outcome is unknown. */
  private static final class Guess extends Passing {
    private final BiFunction<Outcome.Unknown, List<ProducerRecord<byte[], byte[]>>, Outcome> guess;

    Guess(
        Delivery inner,
        BiFunction<Outcome.Unknown, List<ProducerRecord<byte[], byte[]>>, Outcome> guess) {
      super(inner);
      this.guess = guess;
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      Outcome outcome = super.deliver(records, packing, checkpoints, group);
      return outcome instanceof Outcome.Unknown unknown ? guess.apply(unknown, records) : outcome;
    }
  }

  private static Outcome out(List<ProducerRecord<byte[], byte[]>> records) {
    List<RecordMetadata> written = new ArrayList<>();
    records.forEach(
        record ->
            written.add(new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0)));
    return new Outcome.Done(written);
  }

  /**
   * Adds a pair to a checkpoint that is committed alone: its own offset with the last key it has
   * sent.
   */
  private static final class Remembering extends Passing {
    private final Map<TopicPartition, Due> last = new HashMap<>();

    Remembering(Delivery inner, Parts parts) {
      super(inner);
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      Map<TopicPartition, OffsetAndMetadata> sent = new HashMap<>(checkpoints);
      checkpoints.forEach(
          (partition, offset) -> {
            Checkpoint checkpoint = parsed(offset);
            Due before = last.get(partition);
            if (records.isEmpty() && before != null) {
              Pair pair = new Pair(offset.offset(), before);
              sent.put(partition, with(offset, checkpoint, checkpoint.frontier().with(pair)));
            } else if (!checkpoint.frontier().pairs().isEmpty()) {
              last.put(partition, checkpoint.frontier().pairs().get(0).before());
            }
          });
      return super.deliver(records, packing, sent, group);
    }
  }

  // Consumers.

  private static final class Impatient extends SimConsumer {
    Impatient(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    Map<TopicPartition, OffsetAndMetadata> checkpoints(Set<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
      for (TopicPartition partition : partitions) {
        OffsetAndMetadata offset = kafka.group().committed(partition);
        if (offset != null) {
          committed.put(partition, offset);
        }
      }
      return committed;
    }
  }

  private static final class Keeping extends SimConsumer {
    private final Map<TopicPartition, OffsetAndMetadata> kept = new HashMap<>();

    Keeping(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    Map<TopicPartition, OffsetAndMetadata> checkpoints(Set<TopicPartition> partitions) {
      super.checkpoints(partitions).forEach(kept::putIfAbsent);
      Map<TopicPartition, OffsetAndMetadata> known = new HashMap<>(kept);
      known.keySet().retainAll(partitions);
      return known;
    }
  }

  private static final class Forgetful extends SimConsumer {
    Forgetful(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    Map<TopicPartition, OffsetAndMetadata> checkpoints(Set<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> committed = super.checkpoints(partitions);
      committed.replaceAll((partition, offset) -> with(offset, parsed(offset), Frontier.NONE));
      return committed;
    }
  }

  private static final class Uncommitted extends SimConsumer {
    Uncommitted(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    long readableTo(SimLog log) {
      return log.end();
    }

    @Override
    @Nullable ConsumerRecord<byte[], byte[]> readable(SimLog log, long offset) {
      return log.whatever(offset);
    }
  }

  private static boolean isMalformed(ConsumerRecord<byte[], byte[]> record) {
    return record.headers().lastHeader(DelayHeaders.OP) == null
        && record.headers().lastHeader(DelayHeaders.DELIVER_AT) == null;
  }

  private static final class Selective extends SimConsumer {
    Selective(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    @Nullable ConsumerRecord<byte[], byte[]> readable(SimLog log, long offset) {
      ConsumerRecord<byte[], byte[]> record = super.readable(log, offset);
      return record != null && isMalformed(record) ? null : record;
    }
  }

  private static final class Restamping extends SimConsumer {
    Restamping(SimKafka kafka, String name) {
      super(kafka, name);
    }

    @Override
    @Nullable ConsumerRecord<byte[], byte[]> readable(SimLog log, long offset) {
      ConsumerRecord<byte[], byte[]> record = super.readable(log, offset);
      return record == null || !isMalformed(record)
          ? record
          : new ConsumerRecord<>(
              record.topic(),
              record.partition(),
              offset,
              kafka.now(),
              TimestampType.CREATE_TIME,
              0,
              0,
              record.key(),
              record.value(),
              new RecordHeaders(record.headers()),
              record.leaderEpoch());
    }
  }

  /** Makes records below the frontier wait for room as well. */
  private static final class NoExemption extends SimWiring {
    private @Nullable ShardStore store;

    @Override
    ShardStore store(ShardStore seen, SimKafka kafka, SimClock clock) {
      store = seen;
      return seen;
    }

    @Override
    SimConsumer consumer(SimKafka kafka, String name) {
      return new SimConsumer(kafka, name) {
        @Override
        long readableTo(SimLog log) {
          boolean full = store != null && store.memoryUse().join() > 0.8;
          return full ? 0 : super.readableTo(log);
        }
      };
    }
  }
}
