package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.ShardStore.Taken;
import io.delaybridge.store.SimStore;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Asks each shard for its watermark at any time, one question after the other, and checks every
 * later delivery against every answer.
 */
final class ToldWatermarks {

  private final SimKafka kafka;
  private final SimStore store;
  private final SimWiring wiring;
  private final Map<TopicPartition, WatermarkQuestion> open = new HashMap<>();

  /**
   * The answers: each pair says that all messages before an offset and due before a time are out.
   */
  private final Map<TopicPartition, Frontier> told = new HashMap<>();

  ToldWatermarks(SimKafka kafka, SimStore store, SimWiring wiring) {
    this.kafka = kafka;
    this.store = store;
    this.wiring = wiring;
  }

  /** Asks a question, or checks whether the open question can be answered by now. */
  void look(TopicPartition partition) {
    OffsetAndMetadata committed = kafka.group().committed(partition);
    if (committed == null || committed.metadata().isEmpty()) {
      return;
    }
    WatermarkQuestion question =
        open.computeIfAbsent(partition, key -> asked(key, Judge.parsed(committed.metadata())));
    Shard shard = new Shard(RuleTest.id(partition), kafka.facts(partition.topic()).id());
    Taken seen = store.look(shard);
    if (seen != null) {
      wiring.look(question, seen, () -> kafka.logEnd(partition));
    }
    OptionalLong answer = wiring.answer(question, committed.offset());
    if (answer.isPresent()) {
      open.remove(partition);
      Pair pair = new Pair(question.end(), new Due(answer.getAsLong() + 1, 0));
      told.merge(partition, Frontier.NONE.with(pair), (all, one) -> all.with(pair));
    }
  }

  private WatermarkQuestion asked(TopicPartition partition, Checkpoint checkpoint) {
    Long first = checkpoint.laps().copies() == 0 ? null : first(partition, checkpoint.laps());
    long far =
        first == null ? Long.MAX_VALUE : WatermarkQuestion.far(first, checkpoint.admission());
    return new WatermarkQuestion(kafka.now(), wiring.far(far));
  }

  /** Returns the timestamp of the first copy that is not judged. */
  private @Nullable Long first(TopicPartition partition, Laps laps) {
    SimLog later = kafka.log(new TopicPartition(SimLater.TOPIC, partition.partition()));
    for (long offset = laps.judged(); offset < later.lastStable(); offset++) {
      ConsumerRecord<byte[], byte[]> record = later.readable(offset);
      if (record != null) {
        return record.timestamp();
      }
    }
    return null;
  }

  /**
   * Checks a message that goes out.
   *
   * @param last the record that the message is made of
   * @param far the record of the far message, if it was far; else the same
   */
  void out(TopicPartition partition, Fact last, Fact far) {
    Frontier all = told.getOrDefault(partition, Frontier.NONE);
    long offset = far.offset();
    Judge.require(
        !all.covers(new Due(last.due(), offset), offset) || leftLate(partition, last),
        "WATERMARK: %s, from offset %d, goes out after it was told: %s",
        last,
        offset,
        all);
  }

  /**
   * Returns whether a copy in the later topic was written so long after the decision that no
   * watermark applies to it.
   */
  private boolean leftLate(TopicPartition partition, Fact last) {
    OffsetAndMetadata committed = kafka.group().committed(partition);
    if (!last.isHome() || committed == null) {
      return false;
    }
    Admission admission = Judge.parsed(committed.metadata()).admission();
    SimLog later = kafka.log(new TopicPartition(SimLater.TOPIC, partition.partition()));
    for (long offset = later.start(); offset < later.lastStable(); offset++) {
      ConsumerRecord<byte[], byte[]> record = later.readable(offset);
      if (record != null
          && Fact.of(record, 0).unit() == last.unit()
          && WatermarkQuestion.far(record.timestamp(), admission) >= last.due()) {
        return true;
      }
    }
    return false;
  }
}
