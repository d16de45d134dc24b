package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalOptionsTest {

  private static final Path ROOT = Path.of("/root/of/checkout");

  @AfterEach
  void clear() {
    System.clearProperty("kafka.port");
    System.clearProperty("admin.port");
    System.clearProperty("data.dir");
  }

  @Test
  void hasTheWellKnownPortsAndADirectoryInTheCheckoutByDefault() {
    assertThat(LocalOptions.read(ROOT))
        .isEqualTo(new LocalOptions(ROOT, ROOT.resolve("local-data"), 9092, 6379, 8080, 8081));
  }

  @Test
  void takesADirectoryAndAPortFromTheCommandLine() {
    System.setProperty("kafka.port", "19092");
    System.setProperty("data.dir", "/somewhere/else");

    LocalOptions options = LocalOptions.read(ROOT);

    assertThat(options.kafkaPort()).isEqualTo(19_092);
    assertThat(options.data()).isEqualTo(Path.of("/somewhere/else"));
  }

  @Test
  void refusesOnePortForTwo() {
    System.setProperty("kafka.port", "19092");
    System.setProperty("admin.port", "19092");

    assertThatThrownBy(() -> LocalOptions.read(ROOT).requireFreePorts())
        .isInstanceOf(StackException.class)
        .hasMessageContaining("[19092, 6379, 8080, 19092]: they must differ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "-1", "kafka", ""})
  void namesWhatIsNotAPort(String value) {
    System.setProperty("kafka.port", value);

    assertThatThrownBy(() -> LocalOptions.read(ROOT))
        .isInstanceOf(StackException.class)
        .hasMessage("-Dkafka.port=%s is not a port: allowed are 1 to 65535.".formatted(value));
  }
}
