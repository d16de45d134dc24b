package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpProxyTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir static Path dir;
  private static LocalRedis redis;

  private TcpProxy proxy;

  @BeforeAll
  static void startRedis() {
    redis = LocalRedis.at(dir.resolve("redis")).start();
  }

  @AfterAll
  static void killRedis() {
    redis.kill();
  }

  @BeforeEach
  void start() {
    redis.command("FLUSHALL");
    proxy = TcpProxy.to(redis.port());
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void carriesRequestsAndAnswers() throws Exception {
    try (Resp client = client()) {
      assertThat(client.command("SET", "key", "x".repeat(300_000))).isEqualTo("OK");
      assertThat(String.valueOf(client.command("GET", "key"))).hasSize(300_000);
      assertThat(proxy.connections()).isOne();
    }
    await().atMost(LIMIT).until(() -> proxy.connections() == 0);
  }

  @Test
  void cutsWhatIsOpenAndLetsClientsComeBack() throws Exception {
    try (Resp client = client()) {
      client.command("PING");

      proxy.cut();

      assertThatThrownBy(() -> client.command("PING")).isInstanceOf(IOException.class);
    }
    assertThat(ping()).isEqualTo("PONG");
  }

  @Test
  void refusesUntilItAllows() throws Exception {
    proxy.refuse();
    assertThatThrownBy(this::ping).isInstanceOf(IOException.class);

    proxy.allow();
    assertThat(ping()).isEqualTo("PONG");
  }

  @Test
  void losesTheAnswerToWhatWasDone() throws Exception {
    proxy.dropAnswerTo(request -> text(request).contains("INCR"));
    try (Resp client = client()) {
      assertThat(client.command("PING")).isEqualTo("PONG");
      assertThatThrownBy(() -> client.command("INCR", "count")).isInstanceOf(IOException.class);
    }

    try (Resp again = client()) {
      assertThat(again.command("GET", "count")).isEqualTo("1");
      assertThat(again.command("INCR", "count")).as("only one answer is lost").isEqualTo(2L);
    }
    assertThat(proxy.dropped()).isOne();
  }

  @Test
  void holdsAnswersBack() throws Exception {
    proxy.delay(Duration.ofMillis(200));
    try (Resp client = client()) {
      long start = System.nanoTime();
      client.command("PING");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(199));
    }
  }

  @Test
  void leadsToAnotherServer() throws Exception {
    try (LocalRedis other = LocalRedis.at(dir.resolve("other")).start();
        Resp client = client()) {
      client.command("SET", "key", "first");

      proxy.retarget(other.port());

      assertThatThrownBy(() -> client.command("GET", "key")).isInstanceOf(IOException.class);
      try (Resp again = client()) {
        assertThat(again.command("GET", "key")).isNull();
      }
    }
  }

  @Test
  void standsInFrontOfABroker() throws Exception {
    try (TcpProxy front = TcpProxy.to(0);
        LocalBroker broker = LocalBroker.at(dir.resolve("kafka")).behind(front).start()) {
      new Topic(broker.bootstrapServers(), "topic").create(1);
      Topic proxied = new Topic("127.0.0.1:" + front.port(), "topic");

      proxied.send("first");
      front.cut();
      front.dropAnswerTo(request -> request.length > 6 && request[4] == 0 && request[5] == 0);
      proxied.send("second");

      assertThat(front.dropped()).as("answers to a request of type 0, produce").isOne();
      assertThat(proxied.readAll())
          .as("the producer is idempotent")
          .containsExactly("first", "second");
      front.refuse();
      assertThat(new Topic(broker.bootstrapServers(), "topic").readAll()).hasSize(2);
    }
  }

  private Object ping() throws IOException {
    try (Resp client = client()) {
      return String.valueOf(client.command("PING"));
    }
  }

  private Resp client() throws IOException {
    return new Resp(proxy.port(), LIMIT);
  }

  private static String text(byte[] request) {
    return new String(request, StandardCharsets.UTF_8);
  }
}
