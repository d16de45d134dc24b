package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Most tests share a broker, which each one finds running and may leave in any state. */
class LocalBrokerTest {

  @TempDir static Path shared;
  private static LocalBroker broker;

  @TempDir Path dir;

  @BeforeAll
  static void create() {
    broker = LocalBroker.at(shared);
  }

  @BeforeEach
  void startIfNeedBe() {
    if (!broker.isAlive()) {
      broker.start();
    }
  }

  @AfterAll
  static void kill() {
    broker.kill();
  }

  @Test
  void keepsItsDataAndItsPortWhenKilled() throws Exception {
    Topic topic = new Topic(broker.bootstrapServers(), "kept");
    topic.create(1);
    topic.send("before");

    broker.kill();
    assertThat(broker.isAlive()).isFalse();
    broker.restart();

    topic.send("after");
    assertThat(topic.readAll()).containsExactly("before", "after");
  }

  @Test
  void leavesItsDataToALaterBrokerOnAnotherPort() throws Exception {
    Topic topic = new Topic(broker.bootstrapServers(), "left");
    topic.create(1);
    topic.send("value");
    broker.stop();

    try (LocalBroker later = LocalBroker.at(shared).start()) {
      assertThat(later.bootstrapServers()).isNotEqualTo(broker.bootstrapServers());
      assertThat(new Topic(later.bootstrapServers(), "left").readAll()).containsExactly("value");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd"})
  void takesEveryCompression(String type) throws Exception {
    Topic topic = new Topic(broker.bootstrapServers(), "compressed-" + type);
    topic.create(1);
    Map<String, Object> config =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "compression.type", type);

    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("compressed-" + type, "value")).get(30, TimeUnit.SECONDS);
    }

    assertThat(topic.readAll()).containsExactly("value");
  }

  @Test
  void answersAgainAfterAPause() {
    int port = Integer.parseInt(broker.bootstrapServers().split(":", -1)[1]);

    broker.pause();
    assertThat(Probe.kafka(port, 1)).isFalse();
    assertThat(broker.isAlive()).isTrue();

    broker.resume();
    broker.awaitReady();
    assertThat(Probe.kafka(port, 1)).isTrue();
  }

  @Test
  void stopsInGoodOrderEvenIfPaused() throws Exception {
    broker.pause();

    broker.stop();

    assertThat(broker.isAlive()).isFalse();
    assertThat(Files.readString(broker.log())).contains("shut down completed");
    assertThat(shared.resolve("broker.pid")).doesNotExist();
  }

  @Test
  void logsToItsFile() throws Exception {
    assertThat(Files.readString(broker.log()))
        .contains("INFO  ControllerServer - [ControllerServer id=1] Starting controller")
        .doesNotContain("SLF4J");
  }

  @Test
  void refusesADirectoryThatAnotherOneWorksOn() {
    LocalBroker second = LocalBroker.at(shared);

    assertThatThrownBy(second::start)
        .isInstanceOf(StackException.class)
        .hasMessage(
            "broker already runs on %s as process %d: stop it first."
                .formatted(shared, broker.pid()));
  }

  @Test
  void namesThePortThatIsTaken() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();
      LocalBroker unlucky = LocalBroker.at(dir).port(port);

      assertThatThrownBy(unlucky::start)
          .isInstanceOf(StackException.class)
          .hasMessage(
              "Port %d for Kafka is taken: choose another one with LocalBroker.port"
                  .formatted(port));
    }
  }

  @Test
  void quotesTheLogWhenItCanNotStart() {
    LocalBroker wrong = LocalBroker.at(dir).with("num.io.threads", "none");

    assertThatThrownBy(wrong::start)
        .isInstanceOf(StackException.class)
        .hasMessageContaining("Invalid value none for configuration num.io.threads");
    assertThat(wrong.isAlive()).isFalse();
  }
}
