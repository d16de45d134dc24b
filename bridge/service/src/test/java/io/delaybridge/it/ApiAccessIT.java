package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.delaybridge.admin.access.Token;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The access of each role to every call that the bridge documents. */
class ApiAccessIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final String PASSWORD = "changeit";
  private static final Map<String, String> TOKENS =
      Map.of("read", Token.generate(), "schedule", Token.generate(), "operate", Token.generate());

  private static World world;
  private static Scenario scenario;
  private static BridgeProcess bridge;
  private static Path tokens;
  private static Path keys;
  private static int httpsPort;

  @BeforeAll
  static void start() throws Exception {
    world = World.shared();
    tokens = world.dir.resolve("tokens");
    keys = world.dir.resolve("keys.p12");
    writeTokens(TOKENS);
    makeKeys(keys);
    httpsPort = Ports.free();
    scenario =
        world
            .scenario()
            .connector(
                "{type: https, bindHost: 127.0.0.1, port: %d, keyStorePath: '%s', keyStoreType:"
                        .formatted(httpsPort, keys)
                    + " PKCS12, keyStorePassword: "
                    + PASSWORD
                    + "}")
            .api("tokens", "'" + tokens + "'");
    bridge = scenario.bridge();
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  /** The names of the tokens are their roles. */
  private static void writeTokens(Map<String, String> byRole) throws IOException {
    List<String> lines = new ArrayList<>(List.of("# tokens of a test"));
    byRole.forEach(
        (role, token) -> lines.add(role + " sha256:" + Token.hashOf(token) + " " + role + " *"));
    // In one move, as an operator should: a half-written file is only half of the tokens.
    Path next = tokens.resolveSibling("tokens.next");
    Files.write(next, lines);
    Files.move(next, tokens, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static void makeKeys(Path file) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "bridge",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).isZero();
  }

  private static HttpResponse<String> call(
      HttpClient client, String method, String uri, String body, @Nullable String token)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(String path, @Nullable String token) throws Exception {
    return get(HttpClient.newHttpClient(), bridge.httpUri() + path, token);
  }

  private static HttpResponse<String> get(HttpClient client, String uri, @Nullable String token)
      throws Exception {
    return call(client, "GET", uri, "", token);
  }

  /** One call of the document, its path filled with names that do not exist. */
  private record Call(
      String method, String path, String role, boolean takesBody, Set<String> parameters) {

    HttpResponse<String> with(@Nullable String token) throws Exception {
      return with(token, "");
    }

    HttpResponse<String> with(@Nullable String token, String query) throws Exception {
      String uri = bridge.httpUri() + path + query;
      return call(HttpClient.newHttpClient(), method, uri, takesBody ? "{}" : "", token);
    }

    Set<String> roles() {
      return role.equals("any") ? TOKENS.keySet() : new TreeSet<>(List.of(role, "operate"));
    }

    @Override
    public String toString() {
      return method + " " + path + " (" + role + ")";
    }
  }

  private static List<Call> calls() throws Exception {
    JsonNode paths = new JsonMapper().readTree(get("/openapi.json", null).body()).path("paths");
    List<Call> calls = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        JsonNode operation = method.getValue();
        Set<String> query = new TreeSet<>();
        for (JsonNode parameter : operation.path("parameters")) {
          if (parameter.path("in").asText().equals("query")) {
            query.add(parameter.path("name").asText());
          }
        }
        calls.add(
            new Call(
                method.getKey().toUpperCase(java.util.Locale.ROOT),
                filled(path.getKey(), operation.path("parameters")),
                operation.path("x-role").asText(),
                operation.has("requestBody"),
                query));
      }
    }
    return calls;
  }

  private static String filled(String path, JsonNode parameters) {
    String filled = path;
    for (JsonNode parameter : parameters) {
      boolean number =
          parameter.at("/schema/type").asText().equals("integer")
              || parameter.at("/schema/pattern").asText().startsWith("[0-9]");
      filled =
          filled.replace("{" + parameter.path("name").asText() + "}", number ? "999999" : "none");
    }
    return filled;
  }

  @TestFactory
  List<DynamicTest> every_call_asks_for_a_token_of_its_role() throws Exception {
    List<Call> calls = calls();
    assertThat(calls).hasSizeGreaterThan(2);
    return calls.stream()
        .map(call -> DynamicTest.dynamicTest(call.toString(), () -> assertAsks(call)))
        .toList();
  }

  private static void assertAsks(Call call) throws Exception {
    assertRefused(call.with(null), 401, "NO_TOKEN");
    assertRefused(call.with(Token.generate()), 401, "WRONG_TOKEN");
    for (Map.Entry<String, String> token : TOKENS.entrySet()) {
      HttpResponse<String> answer = call.with(token.getValue());
      if (call.roles().contains(token.getKey())) {
        assertThat(answer.statusCode()).as("as %s", token.getKey()).isNotIn(401, 403, 405, 500);
      } else {
        assertRefused(answer, 403, "Forbidden");
      }
    }
  }

  @TestFactory
  List<DynamicTest> every_call_refuses_what_it_does_not_know() throws Exception {
    return calls().stream()
        .map(call -> DynamicTest.dynamicTest(call.toString(), () -> assertStrict(call)))
        .toList();
  }

  /** The document has the same parameters as the code. */
  private static void assertStrict(Call call) throws Exception {
    String allowed = call.parameters().isEmpty() ? "none" : String.join(", ", call.parameters());
    assertRefused(
        call.with(TOKENS.get("operate"), "?surplus=1"),
        400,
        "unknown parameter 'surplus', allowed: " + allowed);
    for (String parameter : call.parameters()) {
      String twice = "?%1$s=1&%1$s=1".formatted(parameter);
      assertRefused(call.with(TOKENS.get("operate"), twice), 400, parameter + " is given 2 times");
    }
    if (!call.takesBody()) {
      String uri = bridge.httpUri() + call.path();
      assertRefused(
          call(HttpClient.newHttpClient(), call.method(), uri, "{}", TOKENS.get("operate")),
          400,
          "this call takes no body");
    }
  }

  private static void assertRefused(HttpResponse<String> answer, int status, String why) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.body()).contains(why);
  }

  @Test
  void a_changed_token_file_is_read_without_a_restart() throws Exception {
    String added = Token.generate();
    assertThat(get("/v1/whoami", added).statusCode()).isEqualTo(401);
    Map<String, String> more = new java.util.HashMap<>(TOKENS);
    more.put("read", added);

    writeTokens(more);
    try {
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(get("/v1/whoami", added).statusCode()).isEqualTo(200));
      assertThat(get("/v1/whoami", TOKENS.get("read")).statusCode()).isEqualTo(401);
    } finally {
      writeTokens(TOKENS);
      await().atMost(SOON).until(() -> get("/v1/whoami", TOKENS.get("read")).statusCode() == 200);
    }
  }

  @Test
  void health_is_told_check_by_check() throws Exception {
    assertThat(get("/v1/health", TOKENS.get("read")).body())
        .startsWith("{\"healthy\":true,\"checks\":[{\"name\":\"api-tokens\"")
        .contains("\"name\":\"kafka\"", "\"name\":\"redis\"", "\"name\":\"loop-0\"");
  }

  @Test
  void refused_calls_are_counted_and_logged_without_the_token() throws Exception {
    String wrong = Token.generate();
    assertThat(get("/v1/whoami?token=" + wrong, wrong).statusCode()).isEqualTo(401);

    HttpResponse<String> metrics =
        get(HttpClient.newHttpClient(), bridge.adminUri() + "/prometheus", null);
    assertThat(metrics.body())
        .containsPattern("delay_api_refused_total\\{reason=\"wrong_token\"} [1-9]");
    assertThat(Files.readString(bridge.log()))
        .contains("Refused (wrong_token): GET /v1/")
        .doesNotContain(wrong)
        .doesNotContain(TOKENS.values());
  }

  @Test
  void the_api_speaks_tls() throws Exception {
    String uri = "https://127.0.0.1:" + httpsPort + "/v1/whoami";

    HttpResponse<String> answer = get(trusting(), uri, TOKENS.get("operate"));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
    assertThat(get(trusting(), uri, null).statusCode()).isEqualTo(401);
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> get(HttpClient.newHttpClient(), uri, TOKENS.get("operate"))))
        .as("a client that does not know the certificate")
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void a_new_certificate_is_shown_without_a_restart() throws Exception {
    String uri = "https://127.0.0.1:" + httpsPort + "/v1/whoami";
    Path next = keys.resolveSibling("next.p12");
    makeKeys(next);

    Files.move(next, keys, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    // From here on, only the new one is trusted.
    await()
        .atMost(SOON)
        .ignoreExceptionsInstanceOf(SSLHandshakeException.class)
        .until(() -> get(trusting(), uri, TOKENS.get("operate")).statusCode() == 200);
  }

  private static HttpClient trusting() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("bridge", store.getCertificate("bridge"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void a_bridge_that_would_be_open_to_everyone_does_not_start_and_says_why() throws Exception {
    try (Scenario open =
        world
            .scenario()
            .connector("{type: http, bindHost: 0.0.0.0, port: %d}".formatted(Ports.free()))) {
      BridgeProcess refused = open.launch();
      await().atMost(SOON).until(() -> !refused.isAlive());
      assertThat(Files.readString(refused.log()))
          .contains("server.applicationConnectors[1].bindHost is '0.0.0.0'", "api.tokens");
    }
  }

  @Test
  void the_jar_makes_a_token_that_works() throws Exception {
    String printed = token("--name", "made", "--roles", "read", "--until", "P1D");
    String made = printed.lines().filter(line -> line.startsWith("dlb_")).findFirst().orElse("");
    String line = printed.lines().filter(text -> text.startsWith("made ")).findFirst().orElse("");
    assertThat(line)
        .startsWith("made sha256:" + Token.hashOf(made) + " read * ")
        .matches(Pattern.compile(".* 20[0-9-]{8}T[0-9:]{8}Z"));
    String before = Files.readString(tokens);
    Files.writeString(tokens, before + line + "\n");
    try {
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(get("/v1/whoami", made).statusCode()).isEqualTo(200));
    } finally {
      Files.writeString(tokens, before);
    }
    assertThat(token("--name", "x", "--roles", "root"))
        .contains("token: role is 'root', allowed: read, schedule, operate");
    // As with a variable that is not set: this must not create a token without an end.
    assertThat(token("--name", "x", "--roles", "read", "--until", ""))
        .contains("--until is ''")
        .doesNotContain("dlb_");
  }

  private static String token(String... arguments) throws Exception {
    return OperationsIT.run(
        Path.of(System.getProperty("bridge.jar")),
        Stream.concat(Stream.of("token"), Stream.of(arguments)).toArray(String[]::new));
  }
}
