package io.delaybridge.connect.transform;

import io.delaybridge.connect.options.Allowed;
import io.delaybridge.connect.options.Options;
import io.delaybridge.schemas.DelayTopics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The options of the delay transform. Valid once built. */
public final class TransformConfig extends AbstractConfig {

  static final String INTAKE = "intake.topic";
  static final String TARGET = "target.topic";
  static final String DELAY = "delay";
  static final String DELAY_FIELD = "delay.field";
  static final String DELAY_UNIT = "delay.unit";
  static final String AT_FIELD = "deliver.at.field";
  static final String AT_UNIT = "deliver.at.unit";
  static final String MISSING = "missing.field";
  static final String ID_FIELD = "id.field";
  static final String KEY_FROM_ID = "key.from.id";
  static final String UNKNOWN = "unknown.headers";

  private static final String MILLISECONDS = "ms";

  /** Keys under the same prefix that are for the worker. */
  private static final Set<String> OF_THE_WORKER =
      Set.of("type", "predicate", "negate", "plugin.version");

  private static final String A_FIELD = "key, value, or a field, as in value.order.due";

  /** The treatment of a record that lacks the field with the time. */
  public enum Missing {
    /** An error, for errors.tolerance to decide on. */
    FAIL,
    /** The constant delay applies. */
    DEFAULT,
    /** The record goes to its own topic, as if there was no transform. */
    PASS;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<String> MISSING_WORDS =
      List.of(Missing.FAIL.word(), Missing.DEFAULT.word(), Missing.PASS.word());

  /** All options, with documentation. */
  public static final ConfigDef DEFINITION = define();

  private final Map<String, String> repetition;

  /**
   * Reads the options.
   *
   * @throws ConfigException if one is wrong, or if they do not set a time
   */
  public TransformConfig(Map<String, ?> given) {
    super(DEFINITION, given, false);
    for (String key : given.keySet()) {
      // A mistyped option would be ignored silently, and records would lack an id or a topic.
      if (!values().containsKey(key) && !OF_THE_WORKER.contains(key)) {
        throw new ConfigException(
            key + " is not an option, allowed: " + String.join(", ", DEFINITION.names()));
      }
    }
    boolean field = path(DELAY_FIELD) != null;
    boolean at = path(AT_FIELD) != null;
    if (field && at) {
      throw Allowed.wrong(
          AT_FIELD, getString(AT_FIELD), "nothing, because " + DELAY_FIELD + " is given, too");
    }
    checkUnit(DELAY_UNIT, field, DELAY_FIELD);
    checkUnit(AT_UNIT, at, AT_FIELD);
    if (TimeUnits.isNumber(getString(DELAY)) && !delayUnit().equals(MILLISECONDS)) {
      throw Allowed.wrong(
          DELAY,
          getString(DELAY),
          "an ISO-8601 duration, because " + DELAY_UNIT + " is for " + DELAY_FIELD);
    }
    RepeatOptions.check(this);
    checkDelay(field || at);
    repetition = RepeatOptions.headers(this);
  }

  private void checkDelay(boolean isRead) {
    boolean constant = !getString(DELAY).isEmpty();
    boolean isCron = !getString(RepeatOptions.CRON).isEmpty();
    if (!constant && !isRead && !isCron) {
      throw Allowed.wrong(
          DELAY,
          "",
          "a delay, because neither %s nor %s nor %s is given"
              .formatted(DELAY_FIELD, AT_FIELD, RepeatOptions.CRON));
    }
    boolean isDefault = missing() == Missing.DEFAULT;
    if (isDefault && !constant) {
      throw Allowed.wrong(DELAY, "", "a delay, because " + MISSING + " is default");
    }
    if (constant && isRead && !isDefault) {
      throw Allowed.wrong(DELAY, getString(DELAY), "nothing, unless " + MISSING + " is default");
    }
  }

  /**
   * Refuses a unit for a field that is not read, because the delay would come from something else.
   */
  private void checkUnit(String unit, boolean isRead, String field) {
    if (!isRead && !getString(unit).equals(MILLISECONDS)) {
      throw Allowed.wrong(
          unit,
          getString(unit),
          MILLISECONDS + ", because it is for " + field + ", which is not given");
    }
  }

  private static ConfigDef define() {
    Options options = new Options();
    defineWhere(options.group("Where to"));
    defineWhen(options.group("When"));
    RepeatOptions.define(options.group("Repeat"));
    options
        .group("Id")
        .add(
            ID_FIELD,
            "",
            Allowed.orEmpty(A_FIELD + ", or empty", FieldPath::of),
            "The field with the delay-id. A record that lacks it has no id.")
        .add(
            KEY_FROM_ID,
            true,
            Allowed.any("true, false"),
            "Whether a record that has an id and no key gets the id as its key, so that what"
                + " replaces or cancels it goes to the same partition.");
    defineHeaders(options.group("Headers"));
    return options.definition();
  }

  private static void defineWhere(Options options) {
    options
        .add(
            INTAKE,
            DelayTopics.INTAKE,
            Allowed.topic(),
            "The intake of the bridge: where the records go.")
        .add(
            TARGET,
            "",
            Allowed.orEmpty(
                "a topic name, or empty", text -> Allowed.topic().ensureValid(TARGET, text)),
            "Where the bridge delivers them. Empty: the topic that the record was for.");
  }

  private static void defineHeaders(Options options) {
    options.choice(
        UNKNOWN,
        Missing.FAIL.word(),
        List.of(Missing.FAIL.word(), Missing.PASS.word()),
        "What becomes of a record with a header whose name begins with delay- and that the bridge"
            + " does not know. fail: an error. pass: it goes to the intake, which must let such"
            + " headers pass.");
  }

  private static void defineWhen(Options options) {
    options
        .add(
            DELAY,
            "",
            Allowed.orEmpty(
                "milliseconds or an ISO-8601 duration", text -> TimeUnits.delayMillis(text, "ms")),
            List.of("PT1M", "PT1H", "P1D"),
            "The delay of every record; with missing.field=default, of those that lack the field."
                + " A number is in milliseconds.")
        .add(
            DELAY_FIELD,
            "",
            Allowed.orEmpty(A_FIELD + ", or empty", FieldPath::of),
            "The field with the delay: a number, or text with a number or an ISO-8601 duration.")
        .choice(DELAY_UNIT, "ms", TimeUnits.OF_DELAYS, "The unit of numbers in delay.field.")
        .add(
            AT_FIELD,
            "",
            Allowed.orEmpty(A_FIELD + ", or empty", FieldPath::of),
            "The field with the instant: a Connect timestamp, a number since 1970, or text with a"
                + " number or an ISO-8601 date and time with an offset.")
        .choice(AT_UNIT, "ms", TimeUnits.OF_INSTANTS, "The unit of numbers in deliver.at.field.")
        .choice(
            MISSING,
            Missing.FAIL.word(),
            MISSING_WORDS,
            "What becomes of a record that lacks the field. fail: an error. default: it is delayed"
                + " by delay. pass: it goes to its own topic, undelayed.");
  }

  /** Returns the topic that the records go to. */
  public String intake() {
    return getString(INTAKE);
  }

  /** Returns the topic of delivery; empty for the original topic. */
  public String target() {
    return getString(TARGET);
  }

  /** Returns the constant delay in milliseconds; null if none. */
  public @Nullable Long delayMillis() {
    return getString(DELAY).isEmpty() ? null : TimeUnits.delayMillis(getString(DELAY), "ms");
  }

  /** Returns the headers for the repetition; empty if messages do not repeat. */
  public Map<String, String> repetition() {
    return repetition;
  }

  /** Returns the field with the delay; null if none. */
  public @Nullable FieldPath delayField() {
    return path(DELAY_FIELD);
  }

  /** Returns the unit of numbers in the delay field. */
  public String delayUnit() {
    return getString(DELAY_UNIT);
  }

  /** Returns the field with the instant; null if none. */
  public @Nullable FieldPath deliverAtField() {
    return path(AT_FIELD);
  }

  /** Returns the unit of numbers in the field with the instant. */
  public String deliverAtUnit() {
    return getString(AT_UNIT);
  }

  /** Returns the treatment of records without the field. */
  public Missing missing() {
    return Missing.values()[MISSING_WORDS.indexOf(getString(MISSING))];
  }

  /** Returns the field with the id; null if none. */
  public @Nullable FieldPath idField() {
    return path(ID_FIELD);
  }

  /** Returns true if headers with the prefix of the bridge and an unknown name go to the intake. */
  public boolean passesUnknown() {
    return getString(UNKNOWN).equals(Missing.PASS.word());
  }

  /** Returns true if the id becomes the key of a record without a key. */
  public boolean keyFromId() {
    return getBoolean(KEY_FROM_ID);
  }

  private @Nullable FieldPath path(String key) {
    return getString(key).isEmpty() ? null : FieldPath.of(getString(key));
  }
}
