package io.delaybridge.cli;

import io.delaybridge.config.KafkaConfig;
import io.delaybridge.schemas.DelayHeaders;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** {@code tail}: prints the records of a topic with their headers, until it is stopped. */
public final class TailCommand extends Command {

  /** The command as Dropwizard lists it. */
  public TailCommand() {
    super("tail", "Prints the records of a topic as they arrive, with their headers");
  }

  @Override
  public void configure(Subparser subparser) {
    KafkaOptions.add(subparser);
    subparser.addArgument("topic").help("topic to read, for example delay-deadletter");
    subparser
        .addArgument("--from-beginning")
        .action(Arguments.storeTrue())
        .help("also print the records that are already there");
    subparser
        .addArgument("--max")
        .type(Integer.class)
        .setDefault(Integer.MAX_VALUE)
        .help("stop after this many records");
  }

  @Override
  public void onError(Cli cli, Namespace namespace, Throwable failure) {
    cli.getStdErr().println(getName() + ": " + Output.reason(failure));
  }

  @Override
  public void run(Bootstrap<?> bootstrap, Namespace arguments)
      throws IOException, ConfigurationException {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, SendCommand.PATIENCE_MS);
    properties.putAll(KafkaOptions.read(bootstrap, arguments, KafkaConfig::consumer));
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Thread main = Thread.currentThread();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    consumer.wakeup();
                    try {
                      main.join(2_000);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
      tail(consumer, arguments);
    } catch (WakeupException e) {
      Output.out().println("stopped");
    }
  }

  private static void tail(KafkaConsumer<byte[], byte[]> consumer, Namespace arguments) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(arguments.getString("topic")).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException(
          "topic '" + arguments.getString("topic") + "' does not exist");
    }
    consumer.assign(partitions);
    if (arguments.getBoolean("from_beginning")) {
      consumer.seekToBeginning(partitions);
    } else {
      consumer.seekToEnd(partitions);
    }
    PrintStream out = Output.out();
    int left = arguments.getInt("max");
    while (left > 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
        if (left-- > 0) {
          out.println(line(record));
        }
      }
    }
  }

  static String line(ConsumerRecord<byte[], byte[]> record) {
    StringJoiner headers = new StringJoiner(" ");
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + text(header.value()));
    }
    return "%s/%d/%d%s key=%s value=%s%n    %s"
        .formatted(
            record.topic(),
            record.partition(),
            record.offset(),
            late(record),
            text(record.key()),
            text(record.value()),
            headers);
  }

  private static String late(ConsumerRecord<byte[], byte[]> record) {
    OptionalLong due = millis(record, DelayHeaders.DUE_AT);
    OptionalLong delivered = millis(record, DelayHeaders.DELIVERED_AT);
    return due.isEmpty() || delivered.isEmpty()
        ? ""
        : " %d ms late".formatted(delivered.getAsLong() - due.getAsLong());
  }

  /** Returns empty if no bridge has written the record. */
  private static OptionalLong millis(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    String text = header == null ? "" : text(header.value());
    return text.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
  }
}
