package io.delaybridge.client;

import java.time.InstantSource;

/**
 * Asks the bridge for a delivery later, or takes that back. What comes out is an ordinary {@link
 * org.apache.kafka.clients.producer.ProducerRecord} for the intake: send it with any producer, any
 * serializers, and inside a transaction if it is to be asked for exactly if the rest of the
 * transaction happens.
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
 * producer chooses the partition by the key. So the record that cancels or replaces must have the
 * key of the record that it is about, or it goes to another partition, where nobody knows the id,
 * and nothing happens. Records with an id and no key of their own therefore get the id as their
 * key: {@code record(value)} and {@code cancel(id).record()} always meet. Whoever gives a key, for
 * the order on the target, must give the same to all three. It also takes the same partitioner
 * everywhere; the partitioners of Kafka's Java client and of librdkafka differ by default.
 *
 * <p>What is not valid is refused here, with an {@link IllegalArgumentException} that names the
 * header, its value and what is allowed, and not on the dead-letter topic. Not known here is what
 * the bridge is configured with: whether it allows the target, and its longest delay ({@code
 * intake.longestDelay}, 365 days by default).
 */
public final class DelayedRecords {

  private DelayedRecords() {}

  /**
   * A delivery to this topic.
   *
   * @param target 1 to 249 letters, digits, '.', '_' and '-'; must exist when the message is due
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public static When to(String target) {
    return new When(Schedule.to(Wire.topic(Wire.TARGET_TOPIC, target), InstantSource.system()));
  }

  /** A delivery to the default target of the intake, which must be configured with one. */
  public static When toDefaultTarget() {
    return new When(Schedule.to(null, InstantSource.system()));
  }

  /**
   * Puts another message in the place of the pending one with this id: other content, other target,
   * other due time. It is the same as scheduling once more with the same id. If there is none
   * pending any more, because it was delivered, this one is delivered nevertheless. One that
   * repeats is pending until its end: the replacement ends it, and repeats only if it says so.
   *
   * @param id 1 to 256 bytes of UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static Replacement replace(String id) {
    return new Replacement(Wire.id(id));
  }

  /**
   * Takes back the pending message with this id. If there is none, because it was delivered or
   * never was, nothing happens and nobody is told. One that repeats has no further occurrence.
   *
   * @param id 1 to 256 bytes of UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static Cancel cancel(String id) {
    return new Cancel(Wire.INTAKE, Wire.id(id));
  }
}
