package io.delaybridge.connect.callback;

import io.delaybridge.connect.http.AddressGuard;
import io.delaybridge.connect.http.Cidr;
import io.delaybridge.connect.http.HttpSettings;
import io.delaybridge.connect.http.HttpSettings.Version;
import io.delaybridge.connect.http.Signature;
import io.delaybridge.connect.http.UrlRules;
import io.delaybridge.schemas.DelayTopics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the callback sink. Each option is valid once built; for combinations of
 * options, see {@link #faults}.
 */
public final class CallbackConfig extends AbstractConfig {

  /** The converter that keys, values and headers need, so that nothing is changed on the way. */
  public static final String CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter";

  /** The producer settings on which the guarantee of no loss depends. */
  private static final Set<String> NOT_OPEN =
      Set.of(
          ProducerConfig.ACKS_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);

  /** All options, with documentation. */
  public static final ConfigDef DEFINITION = CallbackOptions.define();

  /**
   * Reads the options.
   *
   * @throws org.apache.kafka.common.config.ConfigException if one is wrong
   */
  public CallbackConfig(Map<String, String> given) {
    super(DEFINITION, given, false);
  }

  /** Returns the options that contradict others, each with its fault. */
  public Map<String, String> faults() {
    Map<String, String> faults = new TreeMap<>();
    String url = getString(CallbackOptions.URL);
    if (url.isEmpty() && getList(CallbackOptions.HOSTS).isEmpty()) {
      faults.put(
          CallbackOptions.URL,
          "is empty, allowed: a URL, or " + CallbackOptions.HOSTS + " for those in headers");
    } else if (!url.isEmpty()) {
      String why = forbidden(url);
      if (why != null) {
        faults.put(CallbackOptions.URL, "is '" + url + "', which cannot be called: " + why);
      }
    }
    int longest = getInt(CallbackOptions.MAX_BACKOFF);
    if (longest < getInt(CallbackOptions.BACKOFF)) {
      faults.put(
          CallbackOptions.MAX_BACKOFF,
          "is '" + longest + "', allowed: at least the value of " + CallbackOptions.BACKOFF);
    }
    Password secret = getPassword(CallbackOptions.SECRET);
    if (secret != null && secret.value().isEmpty()) {
      faults.put(CallbackOptions.SECRET, "is empty, allowed: a secret, or to leave the option out");
    }
    for (String key : originals().keySet()) {
      // A mistyped name would silently leave out an allowed host or a limit.
      if (key.startsWith(CallbackOptions.PREFIX)
          && !key.startsWith(CallbackOptions.KAFKA)
          && !values().containsKey(key)) {
        faults.put(key, "is not an option, allowed: those in the documentation");
      }
    }
    for (String key : originalsWithPrefix(CallbackOptions.KAFKA).keySet()) {
      if (NOT_OPEN.contains(key)) {
        faults.put(CallbackOptions.KAFKA + key, "cannot be configured: leave it out");
      }
    }
    addTopicFaults(faults);
    return faults;
  }

  /** A sink that reads the dead letters that it writes would write new ones for ever. */
  private void addTopicFaults(Map<String, String> faults) {
    String intake = getString(CallbackOptions.INTAKE);
    String deadLetters = getString(CallbackOptions.DEAD_LETTERS);
    if (deadLetters.equals(intake)) {
      faults.put(
          CallbackOptions.DEAD_LETTERS,
          "is '"
              + deadLetters
              + "', allowed: another topic than that of "
              + CallbackOptions.INTAKE);
    }
    List<String> closed = List.of(intake, DelayTopics.laterOf(intake), deadLetters);
    String allowed = "none of " + String.join(", ", closed) + ", which the sink must not read";
    String topics = text(SinkTask.TOPICS_CONFIG);
    if (Arrays.stream(topics.split(",", -1)).map(String::strip).anyMatch(closed::contains)) {
      faults.put(SinkTask.TOPICS_CONFIG, "is '" + topics + "', allowed: topics, but " + allowed);
    }
    String regex = text(SinkTask.TOPICS_REGEX_CONFIG);
    if (closed.stream().anyMatch(matching(regex))) {
      faults.put(
          SinkTask.TOPICS_REGEX_CONFIG,
          "is '" + regex + "', allowed: an expression that matches " + allowed);
    }
  }

  /** Returns an option that is not one of the sink's own; empty if it is left out. */
  private String text(String key) {
    return originals().get(key) instanceof String text ? text : "";
  }

  private static Predicate<String> matching(String regex) {
    try {
      return Pattern.compile(regex).asMatchPredicate();
    } catch (PatternSyntaxException e) {
      return topic -> false; // The worker refuses it and says why.
    }
  }

  /**
   * Returns why the URL cannot be called, or null if it can, as far as that is known without a
   * lookup.
   */
  private @Nullable String forbidden(String url) {
    UrlRules.Verdict verdict = rules().checkForm(url);
    if (verdict instanceof UrlRules.Forbidden forbidden) {
      return forbidden.why();
    }
    String host = ((UrlRules.Allowed) verdict).uri().getHost();
    return new AddressGuard(addresses()).forbids(host)
        ? "address " + host + " is not in " + CallbackOptions.ADDRESSES
        : null;
  }

  CallbackSettings settings() {
    Password secret = getPassword(CallbackOptions.SECRET);
    return new CallbackSettings(
        getString(CallbackOptions.URL),
        rules(),
        getString(CallbackOptions.CONTENT_TYPE),
        secret == null ? null : new Signature(secret.value()),
        getInt(CallbackOptions.ATTEMPTS),
        new Backoff(
            millis(CallbackOptions.BACKOFF),
            millis(CallbackOptions.MAX_BACKOFF),
            millis(CallbackOptions.MAX_RETRY_AFTER)),
        new CallbackSettings.Topics(
            getString(CallbackOptions.INTAKE), getString(CallbackOptions.DEAD_LETTERS)));
  }

  /** Returns the HTTP settings. Reads the trust store; throws a ConfigException if that fails. */
  HttpSettings http() {
    return new HttpSettings(
        CallbackOptions.VERSIONS.getOrDefault(getString(CallbackOptions.VERSION), Version.AUTO),
        concurrency(),
        millis(CallbackOptions.CONNECT_TIMEOUT),
        millis(CallbackOptions.TIMEOUT),
        TrustStore.of(this));
  }

  List<Cidr> addresses() {
    return getList(CallbackOptions.ADDRESSES).stream().map(Cidr::of).toList();
  }

  int concurrency() {
    return getInt(CallbackOptions.IN_FLIGHT);
  }

  boolean perKey() {
    return getString(CallbackOptions.ORDER).equals(CallbackOptions.PER_KEY);
  }

  /** Returns the properties of the producer of follow-ups, without serializers. */
  Map<String, Object> producer() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    // Set explicitly: a conflicting setting below is then refused. Otherwise it would turn this
    // off.
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A record waits for Kafka as long as its offset does.
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 << 20);
    // A record that fits the source topic compressed must also fit the topics of the follow-ups.
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    properties.putAll(originalsWithPrefix(CallbackOptions.KAFKA));
    return properties;
  }

  private UrlRules rules() {
    return new UrlRules(
        new HashSet<>(getList(CallbackOptions.SCHEMES)),
        getList(CallbackOptions.PORTS).stream().map(Integer::valueOf).collect(Collectors.toSet()),
        getList(CallbackOptions.HOSTS));
  }

  private Duration millis(String key) {
    return Duration.ofMillis(getInt(key));
  }
}
