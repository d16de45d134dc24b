package io.delaybridge.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.delaybridge.admin.access.SecurityHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files of the dashboard and canned answers of the API, for states that a real bridge does not
 * have on demand: down, huge, or answering nonsense. Other tests use a running bridge.
 */
final class FakeApi implements AutoCloseable {

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private HttpServer server;

  private record Answer(int status, String body) {}

  FakeApi() {
    server = listen(0);
    answer("GET whoami", whoami("operate"));
    answer("GET health", "{'healthy': true, 'checks': []}");
    answer("GET shards", "[" + shard(0, "") + "]");
    answer("GET targets", "[]");
    answer("GET messages", "{'messages': [], 'cursor': null}");
    answer("GET deadletters", "{'deadLetters': [], 'cursor': null}");
    answer("GET deadletters/counts", "{'windowMillis': 60000, 'counts': []}");
    answer("GET history", "{'stepMillis': 10000, 'points': []}");
    answer(
        "GET forecast",
        "{'from': 0, 'widthMillis': 60000, 'overdue': 0, 'buckets': [], 'later': 0}");
    answer(
        "GET stats",
        """
        {'instances': [{'id': 'a', 'host': 'one', 'startedAt': 0}], 'ingested': 0, 'delivered': 0,
         'retried': 0, 'deadLettered': 0, 'pending': 0, 'overdue': 0, 'paused': false,
         'lateness': {'bounds': [], 'counts': [0]}}""");
  }

  static String whoami(String role) {
    return "{'name': 'me', 'roles': ['%s'], 'intakes': ['in'], 'authentication': 'token'}"
        .formatted(role);
  }

  /** Returns a healthy shard; the fields of {@code other} take precedence. */
  static String shard(int partition, String other) {
    return """
        {'shard': 'in/%1$d', 'topic': 'in', 'partition': %1$d, 'owner': 'loop-0', 'host': 'one',
         'state': 'OPEN', 'problem': null, 'paused': false, 'pending': 0, 'overdue': 0,
         'nextDue': null, 'next': 0, 'end': 0, 'lag': 0, 'frontier': null %2$s}"""
        .formatted(partition, other.isEmpty() ? "" : ", " + other);
  }

  /** Sets an answer, as JSON with single quotes. A call without a query stands for any query. */
  FakeApi answer(String call, String json) {
    return answer(call, 200, json);
  }

  /** Sets an answer; with a status of 0 there is none. */
  FakeApi answer(String call, int status, String json) {
    answers.put(call, new Answer(status, json.replace('\'', '"')));
    return this;
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Returns the number of calls of the API. */
  int calls() {
    return calls.get();
  }

  void stop() {
    server.stop(0);
  }

  /** Starts again, at the same port. */
  void restart() {
    server = listen(server.getAddress().getPort());
  }

  private HttpServer listen(int port) {
    try {
      HttpServer created =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      created.createContext("/", this::handle);
      created.start();
      return created;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.startsWith("/v1/")) {
        calls.incrementAndGet();
        String call = exchange.getRequestMethod() + " " + path.substring(4);
        Answer answer = answers.get(call + "?" + exchange.getRequestURI().getQuery());
        if (answer == null) {
          Answer none = new Answer(404, "{\"detail\": \"nothing at " + call + "\"}");
          answer = answers.getOrDefault(call, none);
        }
        if (answer.status() != 0) {
          send(
              exchange,
              answer.status(),
              "application/json",
              answer.body().getBytes(StandardCharsets.UTF_8));
        }
      } else {
        file(exchange, path.equals("/") ? "/dashboard/index.html" : path);
      }
    }
  }

  private static void file(HttpExchange exchange, String path) throws IOException {
    try (InputStream in = FakeApi.class.getResourceAsStream(path)) {
      if (in == null) {
        send(exchange, 404, "text/plain", new byte[0]);
      } else {
        String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        send(exchange, 200, type + ";charset=utf-8", in.readAllBytes());
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    SecurityHeaders.ALWAYS.forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
