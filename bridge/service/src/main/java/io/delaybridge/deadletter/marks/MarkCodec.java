package io.delaybridge.deadletter.marks;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.delaybridge.deadletter.alarms.AlertClaim;
import io.delaybridge.message.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads records of the marks topic: the key says what one is about, the value is JSON.
 * The topic is compacted, so the last record of each key stays.
 */
public final class MarkCodec {

  /** How the key of a mark begins; the source of the letter follows. */
  public static final String LETTER = "letter ";

  /** How the key of a replay begins; its name follows. */
  public static final String JOB = "job ";

  /** How the key of a claim begins; its reason follows. */
  public static final String ALERT = "alert ";

  /** The key of a barrier. */
  public static final String BARRIER = "barrier";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .addMixIn(Source.class, Place.class)
          .build();

  /** How the place of a record is written: only a message can be an occurrence. */
  @SuppressWarnings("unused")
  private abstract static class Place {

    @JsonCreator
    Place(
        @JsonProperty("topic") String topic,
        @JsonProperty("partition") int partition,
        @JsonProperty("offset") long offset) {}

    @JsonIgnore
    abstract int occurrence();
  }

  private final String topic;

  /** Takes the name of the marks topic. */
  public MarkCodec(String topic) {
    this.topic = topic;
  }

  /** A record that says what was done about a letter. */
  public ProducerRecord<byte[], byte[]> mark(Source source, Mark mark) {
    return record(LETTER + source, mark);
  }

  /** A record that takes the mark of a letter away. */
  public ProducerRecord<byte[], byte[]> forget(Source source) {
    return record(LETTER + source, null);
  }

  /** A record that says how far a replay is. */
  public ProducerRecord<byte[], byte[]> job(ReplayJob job) {
    return record(JOB + job.job(), job);
  }

  /** A record that claims an alert. */
  public ProducerRecord<byte[], byte[]> alert(AlertClaim claim) {
    return record(ALERT + claim.reason(), claim);
  }

  /** A record that says nothing; whoever has read it has read everything before it. */
  public ProducerRecord<byte[], byte[]> barrier() {
    return record(BARRIER, "");
  }

  private ProducerRecord<byte[], byte[]> record(String key, @Nullable Object value) {
    try {
      return new ProducerRecord<>(
          topic,
          0,
          key.getBytes(StandardCharsets.UTF_8),
          value == null ? null : JSON.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of texts and numbers is always JSON", e);
    }
  }

  /** Reads what this class wrote; throws an IOException if it is anything else. */
  public static <T> T read(byte[] value, Class<T> type) throws IOException {
    T read = JSON.readValue(value, type);
    if (read == null) {
      throw new IOException("the JSON is null");
    }
    return read;
  }
}
