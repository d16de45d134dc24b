package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.shard.Frontier.Pair;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The frontier as Kafka keeps it: the metadata string of the committed offset of the intake
 * partition, {@code v1|topicId|seq|pairs|admission|born}. If something was ever far, {@code
 * later:judged:copies} is before the last field. If delivery is paused, {@code |paused} is at the
 * end. A pair is {@code below:time:offset} or {@code below:*}. A rule of the admission is {@code
 * from:longestDelay}, {@code from:longestDelay:horizon}, {@code from:longestDelay:horizon:level} or
 * {@code from:longestDelay:horizon:level:pass}. Lists are separated by commas.
 *
 * @param topicId Kafka's id of the intake topic
 * @param seq grows with each checkpoint of the shard
 * @param frontier what is settled
 * @param admission how which part of the log was read
 * @param born partitions that the topic had when this shard began; see ADR 3
 * @param laps the state of the later topic
 * @param paused whether an operator has stopped delivery
 */
public record Checkpoint(
    String topicId,
    long seq,
    Frontier frontier,
    Admission admission,
    int born,
    Laps laps,
    boolean paused) {

  /** The default limit of Kafka, {@code offset.metadata.max.bytes}. */
  public static final int MAX_BYTES = 4096;

  private static final String VERSION = "v1";
  private static final String ASKED = Long.toString(Due.ASKED);
  private static final String PAUSED = "paused";
  private static final String LATER = "later:";
  private static final String PASS = ":pass";
  private static final int FIELDS = 6;
  private static final int BORN = 5;
  private static final Pattern NATURAL = Pattern.compile("[0-9]{1,18}");

  /** The checkpoint cannot be read. */
  public static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String text, String why) {
      super(
          "the checkpoint '%s' cannot be read: %s"
              .formatted(text.length() <= 200 ? text : text.substring(0, 200) + "...", why));
    }
  }

  /** The metadata string. */
  public String encode() {
    List<String> fields = new ArrayList<>();
    fields.add(VERSION);
    fields.add(topicId);
    fields.add(Long.toString(seq));
    fields.add(frontier.pairs().stream().map(Checkpoint::pair).collect(Collectors.joining(",")));
    fields.add(admission.rules().stream().map(Checkpoint::rule).collect(Collectors.joining(",")));
    if (!laps.equals(Laps.NONE)) {
      fields.add(LATER + laps.judged() + ":" + laps.copies());
    }
    fields.add(Integer.toString(born));
    if (paused) {
      fields.add(PAUSED);
    }
    return String.join("|", fields);
  }

  /** True if it leaves little room below the limit: then no new messages should be taken in. */
  public boolean isNearlyFull() {
    return encode().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES * 7 / 8;
  }

  /** Reads what {@link #encode} wrote. */
  public static Checkpoint parse(String text) throws UnreadableException {
    String[] fields = text.split("\\|", -1);
    if (!fields[0].equals(VERSION)) {
      throw new UnreadableException(
          text, "version '" + fields[0] + "', but this bridge knows only v1");
    }
    int length = fields.length;
    boolean paused = length > FIELDS && fields[length - 1].equals(PAUSED);
    boolean later = length > FIELDS && fields[BORN].startsWith(LATER);
    if (length != FIELDS + (later ? 1 : 0) + (paused ? 1 : 0) || fields[1].isEmpty()) {
      throw new UnreadableException(text, length + " fields, expected " + FIELDS);
    }
    try {
      return new Checkpoint(
          fields[1],
          natural(fields[2]),
          frontier(list(fields[3], Checkpoint::pair)),
          new Admission(list(fields[4], Checkpoint::rule)),
          Math.toIntExact(natural(fields[later ? BORN + 1 : BORN])),
          later ? laps(fields[BORN].substring(LATER.length())) : Laps.NONE,
          paused);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UnreadableException(text, String.valueOf(e.getMessage()));
    }
  }

  private static Frontier frontier(List<Pair> pairs) {
    Frontier frontier = Frontier.NONE;
    for (Pair pair : pairs) {
      frontier = frontier.with(pair);
    }
    return frontier;
  }

  private static <T> List<T> list(String text, Function<String, T> element) {
    return text.isEmpty() ? List.of() : Arrays.stream(text.split(",", -1)).map(element).toList();
  }

  private static String pair(Pair pair) {
    return pair.before().equals(Due.NEVER)
        ? pair.below() + ":*"
        : pair.below() + ":" + pair.before().time() + ":" + pair.before().offset();
  }

  private static Pair pair(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length == 2 && parts[1].equals("*")) {
      return new Pair(natural(parts[0]), Due.NEVER);
    }
    if (parts.length != 3) {
      throw new IllegalArgumentException("invalid pair '" + text + "'");
    }
    long time = parts[1].equals(ASKED) ? Due.ASKED : natural(parts[1]);
    return new Pair(natural(parts[0]), new Due(time, natural(parts[2])));
  }

  private static String rule(Admission.Rule rule) {
    Reading reading = rule.reading();
    String limit = rule.from() + ":" + reading.longestDelay();
    if (reading.level() == 0) {
      return reading.horizon() == 0 ? limit : limit + ":" + reading.horizon();
    }
    String leveled = limit + ":" + reading.horizon() + ":" + reading.level();
    return reading.passesUnknown() ? leveled + PASS : leveled;
  }

  private static Admission.Rule rule(String text) {
    boolean passes = text.endsWith(PASS);
    String plain = passes ? text.substring(0, text.length() - PASS.length()) : text;
    String[] parts = plain.split(":", -1);
    int count = parts.length;
    long level = count == 4 ? natural(parts[3]) : 0;
    if (count < 2 || count > 4 || (count == 4) != (level > 0) || (passes && level == 0)) {
      throw new IllegalArgumentException("invalid admission rule '" + text + "'");
    }
    long horizon = count == 2 ? 0 : natural(parts[2]);
    Reading reading =
        new Reading(natural(parts[1]), horizon, Math.toIntExact(level), level == 0 || passes);
    return new Admission.Rule(natural(parts[0]), reading);
  }

  private static Laps laps(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("invalid laps '" + text + "'");
    }
    return new Laps(natural(parts[0]), natural(parts[1]));
  }

  private static long natural(String text) {
    if (!NATURAL.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a number");
    }
    return Long.parseLong(text);
  }
}
