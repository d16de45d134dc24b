package io.delaybridge.cli;

import io.delaybridge.config.KafkaConfig;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.schemas.InstantText;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** {@code send}: puts one message, or the cancel of one, on the intake. */
public final class SendCommand extends Command {

  /** With the longest delay that a bridge can be configured to accept. */
  private static final Reading READING = Reading.latest(Duration.ofDays(3650).toMillis(), 0);

  /** How long to look for Kafka and the topic. */
  static final int PATIENCE_MS = 10_000;

  private @Nullable Subparser parser;

  /** The command as Dropwizard lists it. */
  public SendCommand() {
    super("send", "Sends one delayed message, or cancels one");
  }

  @Override
  public void configure(Subparser subparser) {
    parser = subparser;
    KafkaOptions.add(subparser);
    subparser.addArgument("--intake").setDefault(DelayTopics.INTAKE).help("intake topic");
    subparser.addArgument("--target").help("topic that the message is for");
    subparser
        .addArgument("--target-partition")
        .metavar("NUMBER")
        .help("partition of that topic (default: that of the key)");
    subparser.addArgument("--delay").help("delay: ISO-8601 (PT30M) or milliseconds (1500)");
    subparser.addArgument("--at").help("due time: epoch milliseconds or 2030-01-31T08:00:00Z");
    subparser.addArgument("--id").help("id of the message, by which it can be cancelled");
    subparser.addArgument("--key").help("record key (default: the id, if there is one)");
    subparser.addArgument("--value").help("record value (default: standard input)");
    subparser.addArgument("--file").help("file with the record value");
    subparser
        .addArgument("--ttl")
        .help("time to live, no delivery after it: ISO-8601 (PT1H) or milliseconds");
    subparser
        .addArgument("--header")
        .nargs("*")
        .action(Arguments.append())
        .metavar("NAME=VALUE")
        .setDefault(new ArrayList<>())
        .help("additional headers; can be given several times");
    repeating(subparser);
    subparser
        .addArgument("--cancel")
        .metavar("ID")
        .help("cancels the pending message with this id");
  }

  private static void repeating(Subparser subparser) {
    subparser
        .addArgument("--every")
        .help(
            "repeats at this interval, from --delay or --at on: ISO-8601 (PT15M) or milliseconds");
    subparser
        .addArgument("--cron")
        .help(
            "repeats when this cron expression matches: \"0 9 * * MON\"; without --delay or --at,"
                + " from now on");
    subparser.addArgument("--zone").help("time zone of --cron: Europe/Berlin (default: UTC)");
    subparser
        .addArgument("--until")
        .help("no occurrence after this time: epoch milliseconds or 2030-01-31T08:00:00Z");
    subparser.addArgument("--count").help("number of occurrences");
    subparser
        .addArgument("--missed")
        .choices(DelayHeaders.MISSED_ONE, DelayHeaders.MISSED_ALL, DelayHeaders.MISSED_SKIP)
        .help("which missed occurrences are delivered late (default: one)");
  }

  @Override
  public void onError(Cli cli, Namespace namespace, Throwable failure) {
    cli.getStdErr().println(getName() + ": " + Output.reason(failure));
  }

  @Override
  public void run(Bootstrap<?> bootstrap, Namespace arguments)
      throws IOException, ConfigurationException, ArgumentParserException, InterruptedException {
    ProducerRecord<byte[], byte[]> record = request(arguments);
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
    properties.putAll(KafkaOptions.read(bootstrap, arguments, KafkaConfig::producer));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      RecordMetadata sent = producer.send(record).get();
      Output.out().printf("sent as %s/%d/%d%n", sent.topic(), sent.partition(), sent.offset());
    } catch (ExecutionException e) {
      throw wrong("not sent: " + e.getCause());
    }
  }

  /** Returns the record to send; refuses one that no bridge would understand. */
  ProducerRecord<byte[], byte[]> request(Namespace arguments)
      throws IOException, ArgumentParserException {
    ProducerRecord<byte[], byte[]> record = record(arguments);
    check(record);
    return record;
  }

  /**
   * Refuses a record that no bridge understands. It would only become a dead letter, where the user
   * does not see it.
   */
  private void check(ProducerRecord<byte[], byte[]> record) throws ArgumentParserException {
    Request request = RequestParser.preview(record, System.currentTimeMillis(), READING);
    if (request instanceof DelayedMessage message && message.isMalformed()) {
      throw wrong(String.valueOf(message.content().detail()));
    }
  }

  private ProducerRecord<byte[], byte[]> record(Namespace arguments)
      throws IOException, ArgumentParserException {
    String cancelled = arguments.getString("cancel");
    String id = cancelled == null ? arguments.getString("id") : cancelled;
    String key = arguments.getString("key") == null ? id : arguments.getString("key");
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            arguments.getString("intake"), bytes(key), cancelled == null ? value(arguments) : null);
    if (cancelled != null) {
      header(record, DelayHeaders.OP, DelayHeaders.OP_CANCEL);
    } else {
      header(record, DelayHeaders.TARGET_TOPIC, required(arguments, "target"));
      when(record, arguments);
      header(record, DelayHeaders.TARGET_PARTITION, arguments.getString("target_partition"));
      header(record, DelayHeaders.TTL_MS, ttl(arguments.getString("ttl")));
      repetition(record, arguments);
    }
    header(record, DelayHeaders.ID, id);
    for (List<String> headers : arguments.<List<String>>getList("header")) {
      for (String header : headers) {
        String[] parts = header.split("=", 2);
        if (parts.length != 2) {
          throw wrong("--header is '" + header + "', allowed: NAME=VALUE");
        }
        header(record, parts[0], parts[1]);
      }
    }
    return record;
  }

  private void when(ProducerRecord<byte[], byte[]> record, Namespace arguments)
      throws ArgumentParserException {
    String delay = arguments.getString("delay");
    String at = arguments.getString("at");
    boolean isCron = arguments.getString("cron") != null;
    if (delay == null ? at == null && !isCron : at != null) {
      throw wrong("exactly one of --delay and --at is needed, or --cron alone");
    }
    boolean number = delay != null && isNumber(delay);
    header(record, number ? DelayHeaders.DELAY_MS : DelayHeaders.DELAY_DURATION, delay);
    header(record, DelayHeaders.DELIVER_AT, instant("--at", at));
  }

  private void repetition(ProducerRecord<byte[], byte[]> record, Namespace arguments)
      throws ArgumentParserException {
    header(record, DelayHeaders.EVERY, every(arguments.getString("every")));
    header(record, DelayHeaders.CRON, arguments.getString("cron"));
    header(record, DelayHeaders.ZONE, arguments.getString("zone"));
    header(record, DelayHeaders.UNTIL, instant("--until", arguments.getString("until")));
    header(record, DelayHeaders.COUNT, arguments.getString("count"));
    header(record, DelayHeaders.MISSED, arguments.getString("missed"));
  }

  /** Returns the text itself, which is the value of the header. */
  private @Nullable String instant(String option, @Nullable String given)
      throws ArgumentParserException {
    try {
      if (given != null) {
        InstantText.parse(given);
      }
      return given;
    } catch (InstantText.RefusedException e) {
      throw wrong("%s is '%s', %s".formatted(option, given, e.getMessage()));
    }
  }

  /** Returns the value as a duration, because there is a header only for that. */
  private static @Nullable String every(@Nullable String given) {
    return given != null && given.matches("[0-9]{1,15}")
        ? Duration.ofMillis(Long.parseLong(given)).toString()
        : given;
  }

  /** Returns the value in milliseconds, because there is a header only for that. */
  private @Nullable String ttl(@Nullable String given) throws ArgumentParserException {
    if (given == null || isNumber(given)) {
      return given;
    }
    try {
      return Long.toString(Duration.parse(given).toMillis());
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong("--ttl is '" + given + "', allowed: ISO-8601 (PT1H) or milliseconds");
    }
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]+");
  }

  private byte[] value(Namespace arguments) throws IOException, ArgumentParserException {
    String value = arguments.getString("value");
    String file = arguments.getString("file");
    if (value != null) {
      return value.getBytes(StandardCharsets.UTF_8);
    }
    if (file == null) {
      return System.in.readAllBytes();
    }
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw wrong("--file is '" + file + "', allowed: a file that can be read (" + e + ")");
    }
  }

  private String required(Namespace arguments, String name) throws ArgumentParserException {
    String value = arguments.getString(name);
    if (value == null) {
      throw wrong("--" + name + " is needed");
    }
    return value;
  }

  private ArgumentParserException wrong(String message) {
    return new ArgumentParserException(message, parser);
  }

  private static void header(
      ProducerRecord<byte[], byte[]> record, String name, @Nullable String value) {
    if (value != null) {
      record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
