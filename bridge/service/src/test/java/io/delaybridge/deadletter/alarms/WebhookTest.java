package io.delaybridge.deadletter.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookTest {

  private static final AlertClaim CLAIM =
      new AlertClaim("here", 1, "EXPIRED", 12, 60_000, "delay-intake/3/4");

  private final Queue<String> posted = new ConcurrentLinkedQueue<>();
  private HttpServer server = none();
  private int status = 200;

  private static HttpServer none() {
    try {
      return HttpServer.create();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          posted.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Webhook webhook() {
    return new Webhook(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/x"));
  }

  @Test
  void anAlertIsPostedAsJson() {
    assertThat(webhook().test(CLAIM)).isTrue();
    assertThat(posted)
        .containsExactly(
            "POST application/json {\"reason\":\"EXPIRED\",\"count\":12,\"windowMillis\":60000,"
                + "\"latest\":\"delay-intake/3/4\"}");
  }

  @ParameterizedTest
  @CsvSource({"204, true", "302, false", "400, false", "500, false"})
  void onlyAnAnswerThatSaysSoIsASuccess(int answer, boolean accepted) {
    status = answer;

    assertThat(webhook().test(CLAIM)).isEqualTo(accepted);
  }

  @Test
  void anAnswerThatNeverEndsIsAFailureToo() {
    server.createContext(
        "/stuck",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write(1);
          exchange.getResponseBody().flush();
        });
    URI stuck = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/stuck");

    assertTimeoutPreemptively(
        Duration.ofSeconds(15), () -> assertThat(new Webhook(stuck).test(CLAIM)).isFalse());
  }

  @Test
  void nobodyAtTheOtherEndIsAFailureAndNoException() {
    Webhook webhook = webhook();
    server.stop(0);

    assertThat(webhook.test(CLAIM)).isFalse();
  }
}
