package io.delaybridge.connect.callback;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import io.delaybridge.connect.http.AddressGuard;
import io.delaybridge.connect.http.Cidr;
import io.delaybridge.connect.http.HttpSettings;
import io.delaybridge.connect.http.HttpSettings.Version;
import io.delaybridge.connect.http.Signature;
import io.delaybridge.connect.http.UrlRules;
import io.delaybridge.connect.options.Allowed;
import io.delaybridge.connect.options.Options;
import io.delaybridge.schemas.DelayTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** The options of the callback sink. Valid in itself once built; see also {@link #faults}. */
public final class CallbackConfig extends AbstractConfig {

  /** The converter that keys, values and headers need, so that nothing is changed on the way. */
  public static final String CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter";

  static final String URL = "callback.url";
  static final String CONTENT_TYPE = "callback.content.type";
  static final String SECRET = "callback.hmac.secret";
  static final String HOSTS = "callback.allowed.hosts";
  static final String ADDRESSES = "callback.allowed.addresses";
  static final String SCHEMES = "callback.allowed.schemes";
  static final String PORTS = "callback.allowed.ports";
  static final String VERSION = "callback.http.version";
  static final String IN_FLIGHT = "callback.max.in.flight";
  static final String ORDER = "callback.order";
  static final String CONNECT_TIMEOUT = "callback.connect.timeout.ms";
  static final String TIMEOUT = "callback.timeout.ms";
  static final String TRUST_PATH = "callback.tls.truststore.location";
  static final String TRUST_TYPE = "callback.tls.truststore.type";
  static final String TRUST_PASSWORD = "callback.tls.truststore.password";
  static final String ATTEMPTS = "callback.max.attempts";
  static final String BACKOFF = "callback.retry.backoff.ms";
  static final String MAX_BACKOFF = "callback.retry.backoff.max.ms";
  static final String MAX_RETRY_AFTER = "callback.retry.after.max.ms";
  static final String INTAKE = "callback.intake.topic";
  static final String DEAD_LETTERS = "callback.dead.letter.topic";
  private static final String PREFIX = "callback.";
  static final String KAFKA = "callback.kafka.";
  static final String BOOTSTRAP = KAFKA + ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;

  private static final String PER_KEY = "key";
  private static final String ANY_ORDER = "none";
  private static final int WEEK_MS = 604_800_000;

  /** What "none lost" stands on. */
  private static final Set<String> NOT_OPEN =
      Set.of(
          ProducerConfig.ACKS_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);

  private static final Map<String, Version> VERSIONS =
      new TreeMap<>(Map.of("auto", Version.AUTO, "1.1", Version.HTTP_1_1, "2", Version.HTTP_2));

  /** All options, with documentation. */
  public static final ConfigDef DEFINITION = define();

  /**
   * Reads the options.
   *
   * @throws org.apache.kafka.common.config.ConfigException if one is wrong
   */
  public CallbackConfig(Map<String, String> given) {
    super(DEFINITION, given, false);
  }

  private static ConfigDef define() {
    Options options = new Options();
    defineCallback(options.group("Callback"));
    defineSafety(options.group("Safety"));
    defineHttp(options.group("HTTP"));
    defineRetries(options.group("Failures"));
    return options.definition();
  }

  private static void defineCallback(Options options) {
    options
        .add(
            URL,
            ConfigDef.Type.STRING,
            "",
            Allowed.any("a URL, or empty"),
            "What to call for records that have no header delay-callback-url. Its host need not be"
                + " in callback.allowed.hosts; all else applies to it, too.")
        .add(
            CONTENT_TYPE,
            ConfigDef.Type.STRING,
            "application/octet-stream",
            Allowed.text(
                "visible ASCII",
                text -> {
                  if (!text.matches("[ -~]+") || text.isBlank()) {
                    throw new IllegalArgumentException("not visible ASCII");
                  }
                }),
            List.of("application/octet-stream", "application/json"),
            "The Content-Type of the body.")
        .add(
            SECRET,
            ConfigDef.Type.PASSWORD,
            null,
            Allowed.any("any text"),
            "The secret that the body is signed with in the header Delay-Signature. Without it,"
                + " nothing is signed.");
  }

  private static void defineSafety(Options options) {
    options
        .add(
            HOSTS,
            ConfigDef.Type.LIST,
            List.of(),
            Allowed.each("host names, *.example.com for all names below one, *", Hosts::check),
            "The hosts that the header delay-callback-url may name.")
        .add(
            ADDRESSES,
            ConfigDef.Type.LIST,
            List.of(),
            Allowed.each("IP addresses and blocks, as in 10.1.0.0/16", Cidr::of),
            "Addresses that may be connected to although they are loopback, link-local, private or"
                + " otherwise reserved. Checked after the name was looked up.")
        .add(
            SCHEMES,
            ConfigDef.Type.LIST,
            List.of("https"),
            Allowed.some("https, http", CallbackConfig::checkScheme),
            UrlRules.SCHEMES,
            "The schemes of URLs.")
        .add(
            PORTS,
            ConfigDef.Type.LIST,
            List.of("443"),
            Allowed.some("1 to 65535", CallbackConfig::checkPort),
            List.of("443", "80"),
            "The ports of URLs.");
  }

  private static void defineHttp(Options options) {
    List<String> versions = List.copyOf(VERSIONS.keySet());
    List<String> orders = List.of(PER_KEY, ANY_ORDER);
    options
        .add(
            VERSION,
            ConfigDef.Type.STRING,
            "auto",
            Allowed.oneOf(versions),
            versions,
            "Which HTTP to speak. auto: over TLS HTTP/2 or HTTP/1.1, as the server likes; without"
                + " TLS HTTP/1.1. 2: nothing else, also without TLS (\"prior knowledge\").")
        .add(
            IN_FLIGHT,
            ConfigDef.Type.INT,
            64,
            Allowed.range(1, 10_000),
            "How many callbacks of one task may be under way.")
        .add(
            ORDER,
            ConfigDef.Type.STRING,
            PER_KEY,
            Allowed.oneOf(orders),
            orders,
            "key: of records with one key, one is called after the other. none: all at a time.")
        .add(
            CONNECT_TIMEOUT,
            ConfigDef.Type.INT,
            5_000,
            Allowed.range(1, 600_000),
            "How long making a connection may take, in milliseconds.")
        .add(
            TIMEOUT,
            ConfigDef.Type.INT,
            30_000,
            Allowed.range(1, 600_000),
            "How long a callback may take as a whole, in milliseconds.")
        .add(
            TRUST_PATH,
            ConfigDef.Type.STRING,
            "",
            Allowed.any("a file, or empty"),
            "A trust store with the certificates that servers may have. Without it, those that the"
                + " JVM trusts.")
        .add(
            TRUST_TYPE,
            ConfigDef.Type.STRING,
            "PKCS12",
            Allowed.text(),
            List.of("PKCS12", "JKS"),
            "The type of the trust store.")
        .add(
            TRUST_PASSWORD,
            ConfigDef.Type.PASSWORD,
            null,
            Allowed.any("any text"),
            "The password of the trust store, if it has one.");
  }

  private static void defineRetries(Options options) {
    options
        .add(
            ATTEMPTS,
            ConfigDef.Type.INT,
            10,
            Allowed.range(1, 1_000),
            "How often a message is called before it becomes a dead letter.")
        .add(
            BACKOFF,
            ConfigDef.Type.INT,
            1_000,
            Allowed.range(1, WEEK_MS),
            "The pause after the first failure, in milliseconds. It doubles with each failure, and"
                + " is spread by a fifth.")
        .add(
            MAX_BACKOFF,
            ConfigDef.Type.INT,
            600_000,
            Allowed.range(1, WEEK_MS),
            "The longest pause, in milliseconds, unless the receiver asks for more.")
        .add(
            MAX_RETRY_AFTER,
            ConfigDef.Type.INT,
            3_600_000,
            Allowed.range(0, WEEK_MS),
            "How much of a Retry-After is honoured, in milliseconds. Together with"
                + " callback.retry.backoff.max.ms within intake.longestDelay of the bridge.")
        .add(
            INTAKE,
            ConfigDef.Type.STRING,
            DelayTopics.INTAKE,
            Allowed.topic(),
            "The intake of the bridge, which brings back what is to be tried again.")
        .add(
            DEAD_LETTERS,
            ConfigDef.Type.STRING,
            DelayTopics.DEAD_LETTER,
            Allowed.topic(),
            "Where messages go that have failed for good.")
        .add(
            BOOTSTRAP,
            ConfigDef.Type.STRING,
            NO_DEFAULT_VALUE,
            Allowed.text(),
            "The Kafka that these topics are in. Every other callback.kafka.* is handed to the"
                + " producer, as in callback.kafka.security.protocol.");
  }

  private static void checkScheme(String text) {
    if (!UrlRules.SCHEMES.contains(text)) {
      throw new IllegalArgumentException("not a scheme");
    }
  }

  private static void checkPort(String text) {
    if (!text.matches("\\d{1,5}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException("not a port");
    }
  }

  /** What options say that cannot be true together: the option, and what is wrong with it. */
  public Map<String, String> faults() {
    Map<String, String> faults = new TreeMap<>();
    if (getString(URL).isEmpty() && getList(HOSTS).isEmpty()) {
      faults.put(URL, "is empty, allowed: a URL, or " + HOSTS + " for those in headers");
    } else if (!getString(URL).isEmpty()) {
      String why = forbidden(getString(URL));
      if (why != null) {
        faults.put(URL, "is '" + getString(URL) + "', which cannot be called: " + why);
      }
    }
    if (getInt(MAX_BACKOFF) < getInt(BACKOFF)) {
      faults.put(
          MAX_BACKOFF,
          "is '" + getInt(MAX_BACKOFF) + "', allowed: at least the value of " + BACKOFF);
    }
    Password secret = getPassword(SECRET);
    if (secret != null && secret.value().isEmpty()) {
      faults.put(SECRET, "is empty, allowed: a secret, or to leave the option out");
    }
    for (String key : originals().keySet()) {
      // Mistyped, it would be a host that is allowed, or a limit, that is not there.
      if (key.startsWith(PREFIX) && !key.startsWith(KAFKA) && !values().containsKey(key)) {
        faults.put(key, "is not an option, allowed: those in the documentation");
      }
    }
    for (String key : originalsWithPrefix(KAFKA).keySet()) {
      if (NOT_OPEN.contains(key)) {
        faults.put(KAFKA + key, "cannot be configured: leave it out");
      }
    }
    return faults;
  }

  /** Why the URL cannot be called; null if it can, as far as that is known without a lookup. */
  private @Nullable String forbidden(String url) {
    UrlRules.Verdict verdict = rules().checkForm(url);
    if (verdict instanceof UrlRules.Forbidden forbidden) {
      return forbidden.why();
    }
    String host = ((UrlRules.Allowed) verdict).uri().getHost();
    return new AddressGuard(addresses()).forbids(host)
        ? "address " + host + " is not in " + ADDRESSES
        : null;
  }

  CallbackSettings settings() {
    Password secret = getPassword(SECRET);
    return new CallbackSettings(
        getString(URL),
        rules(),
        getString(CONTENT_TYPE),
        secret == null ? null : new Signature(secret.value()),
        getInt(ATTEMPTS),
        new Backoff(millis(BACKOFF), millis(MAX_BACKOFF), millis(MAX_RETRY_AFTER)),
        new CallbackSettings.Topics(getString(INTAKE), getString(DEAD_LETTERS)));
  }

  /** Reads the trust store; throws a ConfigException if that cannot be done. */
  HttpSettings http() {
    Version version = VERSIONS.getOrDefault(getString(VERSION), Version.AUTO);
    return new HttpSettings(
        version, concurrency(), millis(CONNECT_TIMEOUT), millis(TIMEOUT), TrustStore.of(this));
  }

  List<Cidr> addresses() {
    return getList(ADDRESSES).stream().map(Cidr::of).toList();
  }

  int concurrency() {
    return getInt(IN_FLIGHT);
  }

  boolean perKey() {
    return getString(ORDER).equals(PER_KEY);
  }

  /** The properties of the producer of follow-ups; serializers are not among them. */
  Map<String, Object> producer() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    // Said aloud: what is given below and does not go with it is refused instead of ending it.
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A record waits for Kafka for as long as its offset does.
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 << 20);
    // What the topic that is read took compressed must fit those of the follow-ups.
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    properties.putAll(originalsWithPrefix(KAFKA));
    return properties;
  }

  private UrlRules rules() {
    return new UrlRules(
        new HashSet<>(getList(SCHEMES)),
        getList(PORTS).stream().map(Integer::valueOf).collect(Collectors.toSet()),
        getList(HOSTS));
  }

  private Duration millis(String key) {
    return Duration.ofMillis(getInt(key));
  }
}
