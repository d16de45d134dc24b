package io.delaybridge.cli;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.config.KafkaConfig;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.MutuallyExclusiveGroup;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;

/**
 * Where a command finds Kafka, and how it proves who it is: {@code --bootstrap}, and a file of
 * client properties or the configuration file of a bridge.
 */
final class KafkaOptions {

  private static final String SERVERS = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
  private static final String VARIABLE = "KAFKA_BOOTSTRAP_SERVERS";

  private KafkaOptions() {}

  static void add(Subparser subparser) {
    subparser
        .addArgument("--bootstrap")
        .metavar("HOST:PORT")
        .help(
            "Kafka (default: that of the file below, or the environment variable %s, or 127.0.0.1:9092)"
                .formatted(VARIABLE));
    MutuallyExclusiveGroup files = subparser.addMutuallyExclusiveGroup();
    files
        .addArgument("--properties")
        .metavar("FILE")
        .help("properties of Kafka clients, as Kafka's own tools take them");
    files
        .addArgument("--config")
        .metavar("FILE")
        .help("configuration file of a bridge, of which the section kafka is used");
  }

  /**
   * Returns the properties of the client.
   *
   * @param own the section for clients of its kind
   */
  static Map<String, Object> read(
      Bootstrap<?> bootstrap, Namespace arguments, Function<KafkaConfig, Map<String, String>> own)
      throws IOException, ConfigurationException {
    Map<String, Object> properties = new HashMap<>();
    properties.put(SERVERS, System.getenv().getOrDefault(VARIABLE, "127.0.0.1:9092"));
    String file = arguments.getString("properties");
    if (file != null) {
      properties.putAll(clientProperties(file));
    }
    String config = arguments.getString("config");
    if (config != null) {
      KafkaConfig kafka = kafka(bootstrap, config);
      properties.putAll(kafka.given(own.apply(kafka)));
    }
    if (arguments.getString("bootstrap") != null) {
      properties.put(SERVERS, arguments.getString("bootstrap"));
    }
    return properties;
  }

  private static Map<String, String> clientProperties(String file) {
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      read.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--properties is '%s', allowed: a file of properties in UTF-8 that can be read"
              .formatted(file),
          e);
    }
    Map<String, String> properties = new HashMap<>();
    read.stringPropertyNames().forEach(name -> properties.put(name, read.getProperty(name)));
    return properties;
  }

  /** Reads only this section: the others may name files that are elsewhere. */
  private static KafkaConfig kafka(Bootstrap<?> bootstrap, String file)
      throws IOException, ConfigurationException {
    return new DefaultConfigurationFactoryFactory<Section>()
        .create(
            Section.class,
            bootstrap.getValidatorFactory().getValidator(),
            bootstrap.getObjectMapper(),
            "dw")
        .build(bootstrap.getConfigurationSourceProvider(), file)
        .kafka();
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Section(@JsonProperty("kafka") @Nullable KafkaConfig given) {

    KafkaConfig kafka() {
      return given == null ? KafkaConfig.of(null, null, null, null, null, null, null) : given;
    }
  }
}
