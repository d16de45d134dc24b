package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.message.Source;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records of the dead-letter topic into the store. Counts records that are not dead letters.
 */
final class LetterProcessor extends ContextualProcessor<byte[], byte[], Void, Void> {

  private static final Logger LOG = LoggerFactory.getLogger(LetterProcessor.class);

  private final Alarm alarm;

  LetterProcessor(Alarm alarm) {
    this.alarm = alarm;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    LetterStore store = context().getStateStore(LetterStore.NAME);
    RecordMetadata metadata = context().recordMetadata().orElseThrow();
    Source position = new Source(metadata.topic(), metadata.partition(), metadata.offset());
    int bytes = length(record.key()) + length(record.value());
    // The writer may have both times from one clock that is ahead.
    long written = Math.min(record.timestamp(), context().currentSystemTimeMs());
    DeadLetter letter = LetterParser.parse(position, record.headers(), written, bytes).orElse(null);
    if (letter == null) {
      LOG.debug("{} is not a dead letter of a bridge", position);
      store.skip();
    } else if (store.put(letter)) {
      alarm.died(letter, store.rates().count(letter));
    }
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
