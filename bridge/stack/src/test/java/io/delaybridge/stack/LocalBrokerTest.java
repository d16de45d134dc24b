package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBrokerTest {

  @TempDir Path dir;
  private final List<LocalBroker> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.forEach(LocalBroker::kill);
  }

  @Test
  void keepsItsDataAndItsPortWhenKilled() throws Exception {
    LocalBroker broker = start(LocalBroker.at(dir));
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
  void keepsItsDataForALaterBrokerOnTheSameDirectoryAndAnotherPort() throws Exception {
    LocalBroker first = start(LocalBroker.at(dir));
    Topic topic = new Topic(first.bootstrapServers(), "kept");
    topic.create(1);
    topic.send("value");
    first.stop();

    LocalBroker second = start(LocalBroker.at(dir));

    assertThat(second.bootstrapServers()).isNotEqualTo(first.bootstrapServers());
    assertThat(new Topic(second.bootstrapServers(), "kept").readAll()).containsExactly("value");
  }

  @Test
  void answersAgainAfterAPause() {
    LocalBroker broker = start(LocalBroker.at(dir));
    int port = port(broker);

    broker.pause();
    assertThat(Probe.kafka(port, 1)).isFalse();
    assertThat(broker.isAlive()).isTrue();

    broker.resume();
    broker.awaitReady();
    assertThat(Probe.kafka(port, 1)).isTrue();
  }

  @Test
  void stopsInGoodOrderWhilePaused() throws Exception {
    LocalBroker broker = start(LocalBroker.at(dir));
    broker.pause();

    broker.stop();

    assertThat(broker.isAlive()).isFalse();
    assertThat(Files.readString(broker.log())).contains("shut down completed");
    assertThat(dir.resolve("broker.pid")).doesNotExist();
  }

  @Test
  void logsToItsFileWithoutWarningsOfTheLogger() throws Exception {
    LocalBroker broker = start(LocalBroker.at(dir));

    assertThat(Files.readString(broker.log()))
        .contains("INFO  KafkaRaftServer - Kafka Server started")
        .doesNotContain("SLF4J");
  }

  @Test
  void refusesADirectoryThatAnotherOneWorksOn() {
    LocalBroker first = start(LocalBroker.at(dir));

    assertThatThrownBy(() -> LocalBroker.at(dir).start())
        .isInstanceOf(StackException.class)
        .hasMessage(
            "broker already runs on %s as process %d: stop it first.".formatted(dir, first.pid()));
  }

  @Test
  void namesThePortThatIsTaken() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();

      assertThatThrownBy(() -> LocalBroker.at(dir).port(port).start())
          .isInstanceOf(StackException.class)
          .hasMessage(
              "Port %d for Kafka is taken: choose another one with LocalBroker.port"
                  .formatted(port));
    }
  }

  @Test
  void quotesTheLogWhenItCanNotStart() {
    LocalBroker broker = LocalBroker.at(dir).with("num.io.threads", "none");

    assertThatThrownBy(broker::start)
        .isInstanceOf(StackException.class)
        .hasMessageContaining("Invalid value none for configuration num.io.threads");
    assertThat(broker.isAlive()).isFalse();
  }

  private LocalBroker start(LocalBroker broker) {
    started.add(broker);
    return broker.start();
  }

  private static int port(LocalBroker broker) {
    return Integer.parseInt(broker.bootstrapServers().split(":", -1)[1]);
  }
}
