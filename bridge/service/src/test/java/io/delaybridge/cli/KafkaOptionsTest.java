package io.delaybridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.BridgeApplication;
import io.delaybridge.BridgeConfiguration;
import io.delaybridge.config.KafkaConfig;
import io.dropwizard.configuration.ConfigurationParsingException;
import io.dropwizard.core.setup.Bootstrap;
import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaOptionsTest {

  private static final String DEFAULT =
      System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9092");

  @TempDir private Path dir;
  private final ArgumentParser parser = ArgumentParsers.newFor("delay-bridge").build();
  private final Bootstrap<BridgeConfiguration> bootstrap = new Bootstrap<>(new BridgeApplication());

  @BeforeEach
  void configure() {
    KafkaOptions.add(parser.addSubparsers().addParser("send"));
    new BridgeApplication().initialize(bootstrap);
  }

  private Map<String, Object> read(String... options) throws Exception {
    String[] words = new String[options.length + 1];
    words[0] = "send";
    System.arraycopy(options, 0, words, 1, options.length);
    return KafkaOptions.read(bootstrap, parser.parseArgs(words), KafkaConfig::producer);
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(dir.resolve(name), text).toString();
  }

  @Test
  void withoutAFileThereAreOnlyTheServers() throws Exception {
    assertThat(read()).isEqualTo(Map.of("bootstrap.servers", DEFAULT));
    assertThat(read("--bootstrap", "a:1")).isEqualTo(Map.of("bootstrap.servers", "a:1"));
  }

  @Test
  void clientPropertiesMayNameTheServersAndTheOptionWins() throws Exception {
    String file = file("client.properties", "bootstrap.servers=b:1\nssl.key.password=größer\n");

    assertThat(read("--properties", file))
        .isEqualTo(Map.of("bootstrap.servers", "b:1", "ssl.key.password", "größer"));
    assertThat(read("--properties", file, "--bootstrap", "a:1"))
        .containsEntry("bootstrap.servers", "a:1");
    assertThat(read("--properties", file("empty.properties", "")))
        .isEqualTo(Map.of("bootstrap.servers", DEFAULT));
  }

  @Test
  void theConfigurationOfABridgeGivesWhatItsOwnClientsGetAndTheOptionWins() throws Exception {
    String file =
        file(
            "config.yml",
            """
            kafka:
              bootstrapServers: '${NO_SUCH_VARIABLE:-c:1}'
              properties: {client.id: all, linger.ms: 1}
              producer: {linger.ms: 2}
              consumer: {linger.ms: 3}
            redis: {uri: nonsense, unknown: 1}
            """);

    assertThat(read("--config", file))
        .isEqualTo(Map.of("bootstrap.servers", "c:1", "client.id", "all", "linger.ms", "2"));
    assertThat(read("--config", file, "--bootstrap", "a:1"))
        .containsEntry("bootstrap.servers", "a:1");
    assertThat(read("--config", file("other.yml", "redis: {}")))
        .isEqualTo(Map.of("bootstrap.servers", "127.0.0.1:9092"));
  }

  @Test
  void aFileOfPropertiesThatCannotBeReadIsNamed() throws Exception {
    String missing = dir.resolve("missing").toString();
    Path latin = dir.resolve("latin.properties");
    Files.write(latin, "password=größer".getBytes(StandardCharsets.ISO_8859_1));

    for (String file :
        new String[] {missing, dir.toString(), latin.toString(), file("bad", "a=\\u00zz")}) {
      assertThatThrownBy(() -> read("--properties", file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "--properties is '%s', allowed: a file of properties in UTF-8 that can be read", file)
          .hasCauseInstanceOf(Exception.class);
    }
  }

  @Test
  void aConfigurationThatCannotBeReadIsNamed() throws Exception {
    String missing = dir.resolve("missing.yml").toString();
    assertThatThrownBy(() -> read("--config", missing))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("missing.yml");

    String wrong = file("wrong.yml", "kafka: {bootstrapServer: a:1}");
    assertThatThrownBy(() -> read("--config", wrong))
        .isInstanceOf(ConfigurationParsingException.class)
        .hasMessageContaining("wrong.yml")
        .hasMessageContaining("kafka.bootstrapServer")
        .hasMessageContaining("Did you mean");
  }

  @Test
  void onlyOneFileIsTaken() throws Exception {
    assertThatThrownBy(() -> read("--config", "a", "--properties", "b"))
        .isInstanceOf(ArgumentParserException.class)
        .hasMessageContaining("--config");
  }
}
