package io.delaybridge.connect.callback;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import io.delaybridge.connect.http.Cidr;
import io.delaybridge.connect.http.HttpSettings.Version;
import io.delaybridge.connect.http.UrlRules;
import io.delaybridge.connect.options.Allowed;
import io.delaybridge.connect.options.Options;
import io.delaybridge.schemas.DelayTopics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** The options of the callback sink: names, defaults, allowed values, documentation. */
final class CallbackOptions {

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
  static final String PREFIX = "callback.";
  static final String KAFKA = "callback.kafka.";
  static final String BOOTSTRAP = KAFKA + ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;

  static final String PER_KEY = "key";
  static final Map<String, Version> VERSIONS =
      new TreeMap<>(Map.of("auto", Version.AUTO, "1.1", Version.HTTP_1_1, "2", Version.HTTP_2));

  private static final int WEEK_MS = 604_800_000;

  private CallbackOptions() {}

  static ConfigDef define() {
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
            "",
            Allowed.any("a URL, or empty"),
            "What to call for records that have no header delay-callback-url. Its host need not be"
                + " in callback.allowed.hosts; all else applies to it, too.")
        .add(
            CONTENT_TYPE,
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
        .password(
            SECRET,
            "The secret that the body is signed with in the header Delay-Signature. Without it,"
                + " nothing is signed.");
  }

  private static void defineSafety(Options options) {
    options
        .add(
            HOSTS,
            List.of(),
            Allowed.each("host names, *.example.com for all names below one, *", Hosts::check),
            "The hosts that the header delay-callback-url may name.")
        .add(
            ADDRESSES,
            List.of(),
            Allowed.each("IP addresses and blocks, as in 10.1.0.0/16", Cidr::of),
            "Addresses that may be connected to although they are loopback, link-local, private or"
                + " otherwise reserved. Checked after the name was looked up.")
        .add(
            SCHEMES,
            List.of("https"),
            Allowed.some("https, http", CallbackOptions::checkScheme),
            UrlRules.SCHEMES,
            "The schemes of URLs.")
        .add(
            PORTS,
            List.of("443"),
            Allowed.some("1 to 65535", CallbackOptions::checkPort),
            List.of("443", "80"),
            "The ports of URLs.");
  }

  private static void defineHttp(Options options) {
    options
        .choice(
            VERSION,
            "auto",
            List.copyOf(VERSIONS.keySet()),
            "Which HTTP to speak. auto: over TLS HTTP/2 or HTTP/1.1, as the server likes; without"
                + " TLS HTTP/1.1. 2: nothing else, also without TLS (\"prior knowledge\").")
        .add(
            IN_FLIGHT,
            64,
            Allowed.range(1, 10_000),
            "How many callbacks of one task may be under way.")
        .choice(
            ORDER,
            PER_KEY,
            List.of(PER_KEY, "none"),
            "key: of records with one key, one is called after the other. none: all at a time.")
        .add(
            CONNECT_TIMEOUT,
            5_000,
            Allowed.range(1, 600_000),
            "How long making a connection may take, in milliseconds.")
        .add(
            TIMEOUT,
            30_000,
            Allowed.range(1, 600_000),
            "How long a callback may take as a whole, in milliseconds.")
        .add(
            TRUST_PATH,
            "",
            Allowed.any("a file, or empty"),
            "A trust store with the certificates that servers may have. Without it, those that the"
                + " JVM trusts.")
        .add(
            TRUST_TYPE,
            "PKCS12",
            Allowed.text(),
            List.of("PKCS12", "JKS"),
            "The type of the trust store.")
        .password(TRUST_PASSWORD, "The password of the trust store, if it has one.");
  }

  private static void defineRetries(Options options) {
    options
        .add(
            ATTEMPTS,
            10,
            Allowed.range(1, 1_000),
            "How often a message is called before it becomes a dead letter.")
        .add(
            BACKOFF,
            1_000,
            Allowed.range(1, WEEK_MS),
            "The pause after the first failure, in milliseconds. It doubles with each failure, and"
                + " is spread by a fifth.")
        .add(
            MAX_BACKOFF,
            600_000,
            Allowed.range(1, WEEK_MS),
            "The longest pause, in milliseconds, unless the receiver asks for more.")
        .add(
            MAX_RETRY_AFTER,
            3_600_000,
            Allowed.range(0, WEEK_MS),
            "How much of a Retry-After is honoured, in milliseconds. Together with"
                + " callback.retry.backoff.max.ms within intake.longestDelay of the bridge.")
        .add(
            INTAKE,
            DelayTopics.INTAKE,
            Allowed.topic(),
            "The intake of the bridge, which brings back what is to be tried again.")
        .add(
            DEAD_LETTERS,
            DelayTopics.DEAD_LETTER,
            Allowed.topic(),
            "Where messages go that have failed for good.")
        .add(
            BOOTSTRAP,
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
}
