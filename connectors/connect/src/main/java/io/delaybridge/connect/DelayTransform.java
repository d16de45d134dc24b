package io.delaybridge.connect;

import io.delaybridge.connect.transform.FieldPath;
import io.delaybridge.connect.transform.Passed;
import io.delaybridge.connect.transform.TimeUnits;
import io.delaybridge.connect.transform.TransformConfig;
import io.delaybridge.connect.transform.TransformConfig.Missing;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.KnownHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the records of a source connector to the intake of the bridge, with headers for the target,
 * the due time and the repetition. Each record is decided on by itself, so predicates may select
 * the records. Replaces control headers that a record already has. Counts the records that it lets
 * pass for want of a field.
 *
 * @param <R> the record
 */
public final class DelayTransform<R extends ConnectRecord<R>>
    implements Transformation<R>, Versioned, Monitorable {

  private static final Logger LOG = LoggerFactory.getLogger(DelayTransform.class);

  private final Passed passed;
  private @Nullable TransformConfig config;

  /** For the worker. */
  public DelayTransform() {
    this(System::nanoTime);
  }

  DelayTransform(LongSupplier nanos) {
    passed = new Passed(nanos);
  }

  @Override
  public void withPluginMetrics(PluginMetrics metrics) {
    MetricName name =
        metrics.metricName(
            "passed-total",
            "The number of records that lacked the field and went to their own topic, undelayed"
                + " (missing.field=pass)",
            new LinkedHashMap<>());
    metrics.addMetric(name, (Gauge<Long>) (config, now) -> passed.total());
  }

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public ConfigDef config() {
    return TransformConfig.DEFINITION;
  }

  @Override
  public void configure(Map<String, ?> given) {
    config = new TransformConfig(given);
  }

  /**
   * Adds the headers.
   *
   * @throws DataException if a field has an invalid value, or a header an unknown name with the
   *     prefix of the bridge; errors.tolerance decides what happens then
   */
  @Override
  public R apply(R record) {
    if (config == null) {
      throw new ConnectException("The transform was not configured.");
    }
    Headers headers = record.headers().duplicate();
    DelayHeaders.CONTROL.forEach(headers::remove);
    // With the target first and the time second, the bridge stores fewer bytes.
    headers.addString(
        DelayHeaders.TARGET_TOPIC, config.target().isEmpty() ? record.topic() : config.target());
    if (!addWhen(config, record, headers)) {
      return record;
    }
    String id = id(config, record);
    if (id != null) {
      headers.addString(DelayHeaders.ID, id);
    } else if (!config.repetition().isEmpty()) {
      throw new DataException(
          "A record has no %s, but a message that repeats needs an id".formatted(config.idField()));
    }
    config.repetition().forEach(headers::addString);
    if (!config.passesUnknown()) {
      checkNames(headers);
    }
    boolean keyed = record.key() != null || id == null || !config.keyFromId();
    // The partition belongs to the original topic.
    return record.newRecord(
        config.intake(),
        null,
        keyed ? record.keySchema() : Schema.STRING_SCHEMA,
        keyed ? record.key() : id,
        record.valueSchema(),
        record.value(),
        // Only a delay counts from the timestamp. From an old one, any other due time would look
        // too far away.
        headers.lastWithName(DelayHeaders.DELAY_MS) == null ? null : record.timestamp(),
        headers);
  }

  private static void checkNames(Headers headers) {
    for (Header header : headers) {
      String name = header.key();
      if (KnownHeaders.isOurs(name) && !DelayHeaders.KNOWN.contains(name)) {
        throw new DataException("A record has a wrong header: " + KnownHeaders.refusal(name));
      }
    }
  }

  /** Returns false if the record is not to be delayed. */
  private boolean addWhen(TransformConfig options, R record, Headers headers) {
    FieldPath delay = options.delayField();
    FieldPath at = options.deliverAtField();
    FieldPath field = delay != null ? delay : at;
    Object data = field == null ? null : field.in(record);
    if (data == null) {
      return addWithout(options, record, field, headers);
    }
    if (delay != null) {
      long millis = TimeUnits.delayMillis(data, options.delayUnit());
      headers.addString(DelayHeaders.DELAY_MS, Long.toString(millis));
    } else {
      long instant = TimeUnits.instantMillis(data, options.deliverAtUnit());
      // As a number, an instant before 2001 would look like seconds.
      headers.addString(
          DelayHeaders.DELIVER_AT,
          instant < DelayHeaders.MIN_DELIVER_AT
              ? Instant.ofEpochMilli(instant).toString()
              : Long.toString(instant));
    }
    return true;
  }

  private boolean addWithout(
      TransformConfig options, R record, @Nullable FieldPath field, Headers headers) {
    if (field != null && options.missing() == Missing.FAIL) {
      throw new DataException("A record has no " + field + ", which says when it is due");
    }
    if (field != null && options.missing() == Missing.PASS) {
      passed.add(record.topic(), field).ifPresent(LOG::info);
      return false;
    }
    Long constant = options.delayMillis();
    if (constant != null) {
      headers.addString(DelayHeaders.DELAY_MS, constant.toString());
    }
    return true;
  }

  private @Nullable String id(TransformConfig options, R record) {
    FieldPath field = options.idField();
    Object data = field == null ? null : field.in(record);
    if (data == null) {
      return null;
    }
    if (!(data instanceof String || data instanceof Number)) {
      throw new DataException(
          "%s is a %s, allowed for an id: text or a number"
              .formatted(field, data.getClass().getSimpleName()));
    }
    String id = data.toString();
    int length = id.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > DelayHeaders.MAX_ID_BYTES) {
      throw new DataException(
          "%s has %d bytes, allowed for an id: 1 to %d"
              .formatted(field, length, DelayHeaders.MAX_ID_BYTES));
    }
    return id;
  }

  @Override
  public void close() {
    // Nothing to close.
  }
}
