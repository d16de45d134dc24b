package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.ApiServer.Answer;
import io.delaybridge.admin.access.Token;
import io.delaybridge.admin.api.OpenApiResource;
import io.delaybridge.admin.api.WhoamiResource;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outcome of calls, with tokens, on real ports. */
class ApiShellTest {

  private static final String GZIP = "Content-Encoding: gzip";
  private static final String READER = Token.generate();
  private static final String WRITER = Token.generate();
  private static final String OPERATOR = Token.generate();
  private static final String EXPIRED = Token.generate();

  @TempDir private static java.nio.file.Path dir;
  private static ApiServer server;

  @BeforeAll
  static void start() throws Exception {
    java.nio.file.Path file = dir.resolve("tokens");
    Files.write(
        file,
        List.of(
            line("reader", READER, "read in-1"),
            line("writer", WRITER, "schedule *"),
            line("operator", OPERATOR, "operate *"),
            line("old", EXPIRED, "operate * 2020-01-01T00:00:00Z")));
    server =
        ApiServer.start(
            "api: {tokens: '%s', maxBodyBytes: 16384}".formatted(file),
            new WhoamiResource(List.of("in-1", "in-2"), true),
            new OpenApiResource(),
            new ProbeResource());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String line(String name, String token, String rest) {
    return name + " sha256:" + Token.hashOf(token) + " " + rest;
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static void assertProblem(Answer answer, int status, String... parts) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.body())
        .contains("\"type\":\"about:blank\"", "\"status\":" + status)
        .doesNotContain("io.delaybridge", "java.", "com.fasterxml", "org.");
    assertThat(List.of(parts)).allSatisfy(part -> assertThat(answer.body()).contains(part));
    assertThat(answer.header("content-security-policy")).contains("default-src 'none'");
  }

  @Test
  void aCallWithoutATokenIsRefusedAndToldHow() throws IOException {
    double before = server.refused("no_token");

    Answer answer = server.get("/v1/probe");

    assertProblem(answer, 401, "\"code\":\"NO_TOKEN\"");
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer realm=\"delay-bridge\"");
    assertThat(server.refused("no_token")).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "Authorization: Basic dXNlcjpwYXNz, NO_TOKEN",
    "Authorization: Bearer, NO_TOKEN",
    "Authorization: Bearer dlb_x, WRONG_TOKEN",
    "Authorization: Bearer  , NO_TOKEN"
  })
  void whatIsNoTokenOpensNothing(String header, String code) throws IOException {
    assertProblem(server.get("/v1/probe", header), 401, code);
  }

  @Test
  void aTokenInTheUrlOpensNothing() throws IOException {
    assertProblem(server.get("/v1/probe?access_token=" + OPERATOR), 401);
  }

  @Test
  void anExpiredTokenIsWorthNothingAndSaysSo() throws IOException {
    double before = server.refused("wrong_token");

    Answer answer = server.get("/v1/probe", bearer(EXPIRED));

    assertProblem(answer, 401, "this token has expired");
    assertThat(answer.header("www-authenticate")).contains("error=\"invalid_token\"");
    assertThat(server.refused("wrong_token")).isEqualTo(before + 1);
  }

  @Test
  void aTokenWithoutTheRoleIsRefused() throws IOException {
    double before = server.refused("role");

    assertProblem(server.get("/v1/probe", bearer(WRITER)), 403, "does not have the role");
    assertProblem(server.post("/v1/probe", "{}", bearer(READER)), 403);
    assertProblem(server.call("PUT", "/v1/probe", "", bearer(READER)), 403);
    assertThat(server.refused("role")).isEqualTo(before + 3);
  }

  @Test
  void operateIncludesTheOtherRoles() throws IOException {
    assertThat(server.get("/v1/probe", bearer(OPERATOR)).status()).isEqualTo(200);
    assertThat(server.post("/v1/probe", "{\"target\":\"t\"}", bearer(OPERATOR)).status())
        .isEqualTo(200);
    assertThat(server.call("PUT", "/v1/probe", "", bearer(OPERATOR)).status()).isEqualTo(204);
  }

  @Test
  void aTokenThatIsNotForAnIntakeIsRefused() throws IOException {
    double before = server.refused("scope");

    assertProblem(server.get("/v1/probe/intakes/in-2/0", bearer(READER)), 403, "OUT_OF_SCOPE");
    assertThat(server.refused("scope")).isEqualTo(before + 1);
  }

  @Test
  void anAnswerWithoutABodyBecomesAProblemAndTooManyCallsAreCounted() throws IOException {
    double before = server.refused("rate");

    assertProblem(server.get("/v1/probe/intakes/in-1/0", bearer(READER)), 429);
    assertThat(server.refused("rate")).isEqualTo(before + 1);
  }

  @Test
  void whoamiTellsWhatATokenMayDo() throws IOException {
    assertThat(server.get("/v1/whoami", bearer(READER)).body())
        .isEqualTo(
            "{\"name\":\"reader\",\"roles\":[\"read\"],\"intakes\":[\"in-1\"],"
                + "\"authentication\":\"token\"}");
    assertThat(server.get("/v1/whoami", bearer(OPERATOR)).body())
        .contains("[\"read\",\"schedule\",\"operate\"]", "[\"in-1\",\"in-2\"]");
    assertProblem(server.get("/v1/whoami"), 401);
  }

  @Test
  void theDescriptionOfTheApiNeedsNoToken() throws IOException {
    Answer answer = server.get("/openapi.json");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.body()).contains("\"openapi\" : \"3.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '!',
      value = {
        "{\"target\": ; line 1, column",
        "nonsense; not JSON",
        "{\"target\": \"t\"} x; line 1",
        "{\"target\": \"t\", \"target\": \"u\"}; target",
        "{\"target\": \"t\", \"tarket\": 1}; unknown field 'tarket', allowed: count, dryRun, headers",
        "{\"target\": \"t\", \"count\": \"many\"}; 'count' is \\\"many\\\", allowed: a whole",
        "{\"target\": \"t\", \"headers\": {\"a\": []}}; 'headers.a' is an array, allowed: a whole number",
        "{\"target\": {}}; 'target' is an object, allowed: text",
        "[]; the body is an array, allowed: an object",
        "{\"target\": \"t\", \"count\": -1}; count is -1, allowed: 0 or more",
        "{\"count\": 1}; target must not be null",
        "null; The request body must not be null"
      })
  void aBodyThatIsNotWhatTheCallTakesIsExplained(String json, String detail) throws IOException {
    assertProblem(server.post("/v1/probe", json, bearer(WRITER)), 400, detail);
  }

  @Test
  void theLineOfAMistakeIsNamed() throws IOException {
    assertProblem(
        server.post("/v1/probe", "{\n \"target\": \"t\",\n ]}", bearer(WRITER)), 400, "line 3");
  }

  @Test
  void anEmptyBodyIsRefused() throws IOException {
    assertProblem(
        server.post("/v1/probe", "", bearer(WRITER)), 400, "The request body must not be null");
  }

  @Test
  void aParameterThatCanNotBeReadIsNamedWithItsValue() throws IOException {
    assertProblem(
        server.get("/v1/probe?limit=many", bearer(READER)),
        400,
        "limit is 'many', allowed: a whole number");
    assertProblem(
        server.get("/v1/probe?order=up", bearer(READER)), 400, "order", "ASCENDING, DESCENDING");
  }

  @Test
  void aPartOfThePathThatCanNotBeReadIsNotFound() throws IOException {
    assertProblem(
        server.get("/v1/probe/intakes/in-1/x", bearer(READER)),
        404,
        "partition is 'x', allowed: a whole number");
  }

  @Test
  void whatIsNotThereIsAProblem() throws IOException {
    assertProblem(server.get("/v1/nothing", bearer(READER)), 404, "/openapi.json");
    assertProblem(server.get("/"), 404);
  }

  @Test
  void aMethodThatIsNotThereIsToldWhatIs() throws IOException {
    Answer answer = server.call("PATCH", "/v1/probe", "", bearer(READER));

    assertProblem(answer, 405, "this path allows ", "PUT");
    assertThat(answer.header("allow")).contains("POST");
    assertProblem(server.call("TRACE", "/v1/probe", "", bearer(READER)), 405);
  }

  @Test
  void anotherTypeOfBodyOrAnswerIsRefused() throws IOException {
    assertProblem(
        server.call("POST", "/v1/probe", "a=b", bearer(WRITER), "Content-Type: text/plain"),
        415,
        "application/json");
    assertProblem(
        server.get("/v1/probe", bearer(READER), "Accept: image/png"), 406, "application/json");
  }

  @Test
  void aFaultOfTheBridgeShowsOnlyTheIdToFindItBy() throws IOException {
    Answer answer = server.call("DELETE", "/v1/probe", "", bearer(OPERATOR));

    assertProblem(answer, 500, "error ");
    assertThat(answer.body()).containsPattern("[0-9a-f-]{36}").doesNotContain("secret");
  }

  @Test
  void aBodyThatSaysItIsTooLargeIsNotRead() throws IOException {
    double before = server.refused("too_large");

    assertProblem(
        server.call(
            "POST",
            "/v1/probe",
            "",
            bearer(WRITER),
            "Content-Type: application/json",
            "Content-Length: 16385"),
        413,
        "larger than 16384 bytes");
    assertThat(server.refused("too_large")).isEqualTo(before + 1);
  }

  /** It is parsed while it is read, 8,000 bytes at a time. */
  @Test
  void aBodyThatTurnsOutToBeTooLargeIsRefused() throws IOException {
    double before = server.refused("too_large");
    String json = "{\"target\":\"" + "x".repeat(20_000) + "\"}";
    String chunked = Integer.toHexString(json.length()) + "\r\n" + json + "\r\n0\r\n\r\n";

    assertProblem(
        server.call(
            "POST",
            "/v1/probe",
            chunked,
            bearer(WRITER),
            "Content-Type: application/json",
            "Transfer-Encoding: chunked"),
        413,
        "larger than 16384 bytes");
    assertThat(server.refused("too_large")).isEqualTo(before + 1);
  }

  /** Jackson's own limit for one value is 20 million characters. */
  @Test
  void oneValueMayBeAsLargeAsTheBody() throws Exception {
    String json = "{\"target\":\"" + "x".repeat(21_000_000) + "\"}";
    try (ApiServer large = ApiServer.start("api: {maxBodyBytes: 33554432}", new ProbeResource())) {
      assertThat(large.post("/v1/probe", json).status()).isEqualTo(200);
    }
  }

  @Test
  void aCompressedBodyCountsAsWhatItUnpacksTo() throws IOException {
    assertThat(server.post("/v1/probe", gzip(10), bearer(WRITER), GZIP).status()).isEqualTo(200);
    assertProblem(server.post("/v1/probe", gzip(100_000), bearer(WRITER), GZIP), 413);
  }

  /** One character for each byte. */
  private static String gzip(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(
          ("{\"target\":\"" + "x".repeat(length) + "\"}").getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(bytes.size()).isLessThan(1024);
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void headersThatAreTooLargeAreRefused() throws IOException {
    assertProblem(server.get("/v1/probe", "X-Large: " + "x".repeat(9000)), 431);
  }

  @Test
  void whatIsNoHttpIsAProblem() throws IOException {
    assertProblem(server.raw("nonsense\r\n\r\n"), 400);
  }

  @Test
  void everyAnswerTellsBrowsersWhatTheyMayDoWithIt() throws IOException {
    Answer answer = server.get("/v1/probe", bearer(READER), "Origin: http://evil.example");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-security-policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("referrer-policy")).isEqualTo("no-referrer");
    assertThat(answer.header("cross-origin-resource-policy")).isEqualTo("same-origin");
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
    assertThat(answer.header("server")).isEmpty();
  }

  @Test
  void aTokenIsGoodUnderAnyNameOfTheMachine() throws IOException {
    assertThat(server.get("/v1/probe", bearer(READER), "Host: bridge.example").status())
        .isEqualTo(200);
  }

  @Test
  void aPageOfAnotherSiteChangesNothing() throws IOException {
    double before = server.refused("cross_site");

    assertProblem(
        server.call("PUT", "/v1/probe", "", bearer(OPERATOR), "Sec-Fetch-Site: cross-site"), 403);
    assertThat(server.refused("cross_site")).isEqualTo(before + 1);
  }

  @Test
  void theAdminPortLetsEveryoneLookButNotTouch() throws IOException {
    assertThat(server.admin("GET", "/ping").status()).isEqualTo(200);
    assertThat(server.admin("POST", "/tasks/gc").status()).isEqualTo(401);
    assertThat(server.admin("POST", "/tasks/gc", bearer(READER)).status()).isEqualTo(403);
    assertThat(server.admin("POST", "/tasks/gc", bearer(OPERATOR)).status()).isEqualTo(200);
  }

  /** It would dump the stacks of all threads for as long as the caller likes. */
  @Test
  void nobodyCanProfileTheProcess() throws IOException {
    assertThat(server.admin("GET", "/pprof?duration=1").status()).isEqualTo(404);
    assertThat(server.admin("GET", "/threads").status()).isEqualTo(200);
  }

  @Test
  void theAdminPortIsNotReachedByAnotherName() throws IOException {
    assertThat(server.admin("GET", "/ping", "Host: evil.example").status()).isEqualTo(403);
  }

  @Test
  void aCallThatSaysNobodyMayMakeItStopsTheStart() {
    assertThatThrownBy(() -> ApiServer.start("", new OpenResource()).close())
        .hasStackTraceContaining("says neither @RolesAllowed nor @PermitAll");
  }

  /** A resource without the annotations that it needs. */
  @Path("/v1/open")
  public static final class OpenResource {

    @GET
    public String open() {
      return "";
    }
  }

  @Test
  void aTokenFileThatIsNotGoodStopsTheStart() {
    assertThatThrownBy(() -> ApiServer.start("api: {tokens: /nowhere/tokens}").close())
        .isInstanceOf(IOException.class)
        .hasMessage("token file /nowhere/tokens does not exist");
  }
}
