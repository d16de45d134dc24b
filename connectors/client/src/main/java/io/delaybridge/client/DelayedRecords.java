package io.delaybridge.client;

import java.time.InstantSource;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Requests a later delivery from the bridge, or cancels one. The result is an ordinary {@link
 * ProducerRecord} for the intake. Send it with any producer and any serializers. In a transaction,
 * the request takes effect only if the transaction is committed.
 *
 * <pre>{@code
 * producer.send(
 *     DelayedRecords.to("orders.unpaid").after(Duration.ofMinutes(30)).id("order-4711").record(json));
 * producer.send(DelayedRecords.cancel("order-4711").record());
 * producer.send(
 *     DelayedRecords.to("reports")
 *         .cron("0 3 * * *", ZoneId.of("Europe/Berlin"))
 *         .id("nightly")
 *         .record(json));
 * }</pre>
 *
 * <p><b>Ids and keys.</b> The bridge knows an id within one partition of the intake only, and the
 * producer chooses the partition by the key. A record that cancels or replaces must therefore have
 * the key of the record that it refers to. Otherwise it goes to another partition, where the id is
 * unknown, and nothing happens. A record with an id and no key of its own gets the id as its key,
 * so {@code record(value)} and {@code cancel(id).record()} always meet. If you set a key, to keep
 * an order on the target, set the same key on all three. Also use the same partitioner everywhere;
 * the partitioners of Kafka's Java client and of librdkafka differ by default.
 *
 * <p>An invalid request is refused here, not on the dead-letter topic. The {@link
 * IllegalArgumentException} names the header, its value and what is allowed. The configuration of
 * the bridge is not known here: whether it allows the target, and its longest delay ({@code
 * intake.longestDelay}, 365 days by default).
 */
public final class DelayedRecords {

  private DelayedRecords() {}

  /**
   * Starts a delivery to this topic.
   *
   * @param target 1 to 249 letters, digits, '.', '_' and '-'; must exist when the message is due
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public static When to(String target) {
    return new When(Schedule.to(Wire.topic(Wire.TARGET_TOPIC, target), InstantSource.system()));
  }

  /** Starts a delivery to the default target of the intake, which must be configured with one. */
  public static When toDefaultTarget() {
    return new When(Schedule.to(null, InstantSource.system()));
  }

  /**
   * Replaces the pending message with this id by another one: other content, other target, other
   * due time. Scheduling again with the same id does the same. If none is pending any more, because
   * it was delivered, the new one is delivered nevertheless. A repeating message is pending until
   * its end. A replacement ends it, and repeats only if it says so.
   *
   * @param id 1 to 256 bytes of UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static Replacement replace(String id) {
    return new Replacement(Wire.id(id));
  }

  /**
   * Returns the request itself, unless it has a header that the bridge would refuse. For requests
   * to which headers were added: the prefix {@code delay-} belongs to the bridge, and a request
   * with an unknown header of this prefix is a dead letter ({@code UNKNOWN_HEADER}), unless its
   * intake lets such headers pass.
   *
   * @throws IllegalArgumentException if there is such a header; it names the nearest known one
   */
  public static <K, V> ProducerRecord<K, V> checked(ProducerRecord<K, V> request) {
    Names.check(request.headers());
    return request;
  }

  /**
   * Cancels the pending message with this id. If there is none, because it was delivered or never
   * existed, nothing happens and nobody is told. A repeating message has no further occurrence.
   *
   * @param id 1 to 256 bytes of UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static Cancel cancel(String id) {
    return new Cancel(Wire.INTAKE, Wire.id(id));
  }
}
