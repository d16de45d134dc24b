package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlertClaim;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts records of the marks topic into the store. Counts records that cannot be read. */
final class MarkProcessor extends ContextualProcessor<byte[], byte[], Void, Void> {

  private static final Logger LOG = LoggerFactory.getLogger(MarkProcessor.class);

  private final Alarm alarm;

  MarkProcessor(Alarm alarm) {
    this.alarm = alarm;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    MarkStore store = context().getStateStore(MarkStore.NAME);
    long offset = context().recordMetadata().orElseThrow().offset();
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    try {
      apply(store, key, record.value());
    } catch (IOException e) {
      LOG.warn("The mark at offset {} cannot be read and is skipped: {}", offset, e.getMessage());
      store.skip();
    }
    store.seen(offset);
  }

  private void apply(MarkStore marks, String key, byte @Nullable [] value) throws IOException {
    if (key.startsWith(MarkCodec.LETTER)) {
      Optional<Source> source = LetterParser.source(key.substring(MarkCodec.LETTER.length()));
      if (source.isEmpty()) {
        throw new IOException("the key '" + key + "' does not name a source");
      } else if (value == null) {
        marks.remove(source.get());
      } else {
        marks.put(source.get(), MarkCodec.read(value, Mark.class));
      }
    } else if (key.startsWith(MarkCodec.JOB) && value != null) {
      marks.put(MarkCodec.read(value, ReplayJob.class));
    } else if (key.startsWith(MarkCodec.ALERT) && value != null) {
      alarm.claimed(MarkCodec.read(value, AlertClaim.class));
    } else if (!key.equals(MarkCodec.BARRIER)) {
      throw new IOException("the key '" + key + "' is not known");
    }
  }
}
