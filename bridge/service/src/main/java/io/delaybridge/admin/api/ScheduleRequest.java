package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.admin.Problem;
import io.delaybridge.intake.Letter;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import jakarta.ws.rs.core.Response.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message to schedule, as callers of the API write it.
 *
 * @param target topic; may be left out if the intake has a default target
 * @param targetPartition partition of the target; if left out, it follows from the key
 * @param delay ISO-8601 duration from now; or deliverAt
 * @param deliverAt epoch milliseconds or ISO-8601 instant; or delay
 * @param id names the message for lookup, cancel and replacement
 * @param key of the record that arrives, as text; or keyBase64
 * @param value of the record that arrives, as text; or valueBase64
 * @param headers of the record that arrives; a list of pairs, or an object of texts
 * @param ttl ISO-8601 duration from now after which it is of no use
 * @param repeat how it repeats; with cron, the time may be left out
 * @param maxAttempts delivery attempts; if left out, the configured number
 * @param intake topic that it is written to; if left out, the first that the caller may see
 */
public record ScheduleRequest(
    @JsonProperty("target") @Nullable String target,
    @JsonProperty("targetPartition") @Nullable Integer targetPartition,
    @JsonProperty("delay") @Nullable String delay,
    @JsonProperty("deliverAt") @Nullable String deliverAt,
    @JsonProperty("id") @Nullable String id,
    @JsonProperty("key") @Nullable String key,
    @JsonProperty("keyBase64") @Nullable String keyBase64,
    @JsonProperty("value") @Nullable String value,
    @JsonProperty("valueBase64") @Nullable String valueBase64,
    @JsonProperty("headers") @Nullable GivenHeaders headers,
    @JsonProperty("ttl") @Nullable String ttl,
    @JsonProperty("repeat") @Nullable Repeat repeat,
    @JsonProperty("maxAttempts") @Nullable Integer maxAttempts,
    @JsonProperty("intake") @Nullable String intake) {

  /**
   * How a message repeats: by every or by cron.
   *
   * @param every ISO-8601 duration of a second or more
   * @param cron five fields as in crontab(5), or six with seconds first
   * @param zone IANA name of the zone of cron, UTC if left out
   * @param until epoch milliseconds or ISO-8601 instant after which there is no occurrence
   * @param count number of occurrences
   * @param missed what becomes of occurrences whose time has passed without them: one, all or skip
   */
  public record Repeat(
      @JsonProperty("every") @Nullable String every,
      @JsonProperty("cron") @Nullable String cron,
      @JsonProperty("zone") @Nullable String zone,
      @JsonProperty("until") @Nullable String until,
      @JsonProperty("count") @Nullable Long count,
      @JsonProperty("missed") @Nullable String missed) {

    private void putAll(Map<String, String> all) {
      put(all, DelayHeaders.EVERY, every);
      put(all, DelayHeaders.CRON, cron);
      put(all, DelayHeaders.ZONE, zone);
      put(all, DelayHeaders.UNTIL, until == null ? null : Inputs.end("repeat.until", until));
      put(all, DelayHeaders.COUNT, count == null ? null : count.toString());
      put(all, DelayHeaders.MISSED, missed);
    }
  }

  static final int MAX_HEADERS = 64;

  /** Headers that have a field of their own, or that the bridge or a consumer writes. */
  private static final Set<String> RESERVED =
      Stream.of(
              DelayHeaders.CONTROL,
              DelayHeaders.ARRIVAL,
              DelayHeaders.DEAD,
              DelayHeaders.CARRIED,
              DelayHeaders.REPEATED,
              DelayHeaders.CONSUMER)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  /** The record that asks the bridge for this message. */
  Letter letter(String topic) {
    // Target and time first, so that less is stored of them.
    Map<String, String> all = new LinkedHashMap<>();
    put(all, DelayHeaders.TARGET_TOPIC, target);
    boolean isByCalendar = repeat != null && repeat.cron() != null;
    if (!isByCalendar || delay != null || deliverAt != null) {
      all.putAll(Inputs.when(delay, deliverAt));
    }
    put(all, DelayHeaders.TARGET_PARTITION, text(targetPartition));
    put(all, DelayHeaders.ID, id);
    put(all, DelayHeaders.MAX_ATTEMPTS, text(maxAttempts));
    if (ttl != null) {
      all.put(DelayHeaders.TTL_MS, Long.toString(Inputs.millis("ttl", ttl)));
    }
    if (repeat != null) {
      if (repeat.every() == null && repeat.cron() == null) {
        throw Problem.of(Status.BAD_REQUEST, "repeat needs either every or cron");
      }
      repeat.putAll(all);
    }
    return new Letter(
        topic,
        null,
        Inputs.bytes("key", key, keyBase64),
        Inputs.bytes("value", value, valueBase64),
        Stream.concat(Letter.texts(all).stream(), own().stream()).toList());
  }

  private static @Nullable String text(@Nullable Integer number) {
    return number == null ? null : number.toString();
  }

  private static void put(Map<String, String> all, String name, @Nullable String value) {
    if (value != null) {
      all.put(name, value);
    }
  }

  private List<StoredHeader> own() {
    if (headers == null) {
      return List.of();
    }
    for (String name : headers.nulls()) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "the value of header '%s' is null, allowed: text; or null in a list of headers"
              .formatted(name));
    }
    List<StoredHeader> own = headers.pairs();
    if (own.size() > MAX_HEADERS) {
      throw Problem.of(
          Status.BAD_REQUEST, "%d headers, allowed: at most %d".formatted(own.size(), MAX_HEADERS));
    }
    for (StoredHeader header : own) {
      if (RESERVED.contains(header.name())) {
        throw Inputs.wrong(
            "header name", header.name(), "names that the bridge neither reads nor writes itself");
      }
    }
    return own;
  }
}
