package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.ApiServer.Answer;
import io.delaybridge.admin.access.Token;
import io.delaybridge.admin.api.DashboardServlet;
import io.delaybridge.admin.api.OpenApiResource;
import io.delaybridge.admin.api.WhoamiResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that has what the API does not understand is refused, and told what is allowed. */
class StrictCallsTest {

  private static ApiServer server;

  @BeforeAll
  static void start() throws Exception {
    server =
        ApiServer.start(
            "",
            environment -> DashboardServlet.register(environment.servlets()),
            new WhoamiResource(List.of("in-1"), false),
            new OpenApiResource(),
            new ProbeResource());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertRefused(Answer answer, String detail) {
    assertThat(answer.body()).contains(detail.replace("\"", "\\\""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
  }

  // The query.

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "limi=5; unknown parameter 'limi', allowed: far, intake, limit, order",
        "limit=5&Limit=6; unknown parameter 'Limit', allowed: far,",
        "=5; a parameter of the query has no name",
        "limit=5&=5; a parameter of the query has no name",
        "limit=5&limit=5; limit is given 2 times, allowed: once",
        "intake=a&intake=b; intake is given 2 times, allowed: once",
        "intake=; intake is empty, allowed: text",
        "intake; intake is empty, allowed: text",
        "intake=%20; intake is empty, allowed: text",
        "order=; order is empty, allowed: ASCENDING, DESCENDING",
        "limit=; limit is empty, allowed: a whole number",
        "far=; far is empty, allowed: true or false"
      })
  void aQueryThatIsNotUnderstoodIsRefused(String query, String detail) throws IOException {
    assertRefused(server.get("/v1/probe?" + query), detail);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "yes", "TRUE", "True", "true%20", "false,"})
  void aBooleanIsTrueOrFalse(String value) throws IOException {
    assertRefused(
        server.get("/v1/probe?far=" + value),
        "far is '" + value.replace("%20", " ") + "', allowed: true or false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%2B5", "5.0", "1e1", "0x5", "5%20", "5L", "%D9%A5", "99999999999", "many"})
  void aNumberIsDigits(String value) throws IOException {
    assertRefused(server.get("/v1/probe?limit=" + value), "', allowed: a whole number");
  }

  @Test
  void whatIsUnderstoodIsTaken() throws IOException {
    assertThat(server.get("/v1/probe?").body()).isEqualTo("\"0 null false null\"");
    assertThat(server.get("/v1/probe?limit=007&order=ASCENDING&far=true&intake=a%20b").body())
        .isEqualTo("\"7 ASCENDING true a b\"");
    assertThat(server.get("/v1/probe?%6Cimit=-5&far=false").body())
        .isEqualTo("\"-5 null false null\"");
  }

  @Test
  void aCallThatTakesNoParameterSaysSo() throws IOException {
    assertRefused(
        server.call("PUT", "/v1/probe?intake=in-1", ""),
        "unknown parameter 'intake', allowed: none");
    assertRefused(server.get("/v1/whoami?intake=in-1"), "unknown parameter 'intake'");
  }

  @Test
  void aParameterOfThePathIsRefused() throws IOException {
    assertRefused(
        server.call("PUT", "/v1/probe;intake=in-1", ""), "the path has ';', allowed: %3B");
    assertRefused(server.get("/v1;intake=in-1/whoami"), "the path has ';', allowed: %3B");
    assertThat(server.get("/v1/probe/intakes/in%3B1/0").status()).isEqualTo(429);
  }

  @Test
  void aBodyForACallThatTakesNoneIsRefused() throws IOException {
    String[] json = {"Content-Type: application/json"};
    assertRefused(
        server.call("PUT", "/v1/probe", "{\"intake\": \"in-1\"}", json), "this call takes no body");
    assertRefused(server.call("GET", "/v1/whoami", "intake=in-1"), "this call takes no body");
    assertRefused(
        server.call(
            "PUT",
            "/v1/probe",
            "2\r\n{}\r\n0\r\n\r\n",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked"),
        "this call takes no body");
    assertThat(server.call("PUT", "/v1/probe", "0\r\n\r\n", "Transfer-Encoding: chunked").status())
        .isEqualTo(204);
  }

  @Test
  void whatIsNoCallTakesAnyQuery() throws IOException {
    assertThat(server.get("/openapi.json?at=1").status()).isEqualTo(200);
    assertThat(server.get("/?at=1").status()).isEqualTo(200);
    assertThat(server.get("/dashboard/app.js?at=1&at=2").status()).isEqualTo(200);
  }

  @Test
  void whoMayNotCallIsNotToldWhatIsAllowed(@TempDir Path dir) throws Exception {
    String reader = Token.generate();
    Path file = dir.resolve("tokens");
    Files.writeString(file, "reader sha256:" + Token.hashOf(reader) + " read *");
    try (ApiServer closed =
        ApiServer.start("api: {tokens: '%s'}".formatted(file), new ProbeResource())) {
      String path = "/v1/probe?limi=1";
      assertThat(closed.get(path).status()).isEqualTo(401);
      assertThat(closed.call("PUT", path, "{}", "Authorization: Bearer " + reader).status())
          .isEqualTo(403);
      assertRefused(
          closed.get(path, "Authorization: Bearer " + reader), "unknown parameter 'limi'");
    }
  }

  // The body.

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '!',
      value = {
        "'count': 2.9; 'count' is 2.9, allowed: a whole number",
        "'count': 2.0; 'count' is 2.0, allowed: a whole number",
        "'count': 1e3; 'count' is 1e3, allowed: a whole number",
        "'count': '2'; 'count' is \"2\", allowed: a whole number",
        "'count': ''; 'count' is \"\", allowed: a whole number",
        "'count': ' '; 'count' is \" \", allowed: a whole number",
        "'count': true; 'count' is true, allowed: a whole number",
        "'count': [1]; 'count' is an array, allowed: a whole number",
        "'count': {}; 'count' is an object, allowed: a whole number",
        "'count': 99999999999; 'count' is 99999999999, allowed: a whole number up to 2147483647",
        "'most': 2.9; 'most' is 2.9, allowed: a whole number",
        "'most': '2'; 'most' is \"2\", allowed: a whole number",
        "'most': 9223372036854775808; 'most' is 9223372036854775808, allowed: a whole number up to 9223372036854775807",
        "'dryRun': 1; 'dryRun' is 1, allowed: true or false",
        "'dryRun': 0.0; 'dryRun' is 0.0, allowed: true or false",
        "'dryRun': 'true'; 'dryRun' is \"true\", allowed: true or false",
        "'dryRun': ''; 'dryRun' is \"\", allowed: true or false",
        "'target': 1; 'target' is 1, allowed: text",
        "'target': 1.5; 'target' is 1.5, allowed: text",
        "'target': true; 'target' is true, allowed: text",
        "'target': ['t']; 'target' is an array, allowed: text",
        "'target': {'t': 1}; 'target' is an object, allowed: text",
        "'order': ''; 'order' is \"\", allowed: ASCENDING, DESCENDING",
        "'order': 0; 'order' is 0, allowed: ASCENDING, DESCENDING",
        "'order': 'up'; 'order' is \"up\", allowed: ASCENDING, DESCENDING",
        "'headers': ''; 'headers' is \"\", allowed: an object",
        "'headers': {'a': '1'}; 'headers.a' is \"1\", allowed: a whole number",
        "'headers': {'a': 1.5}; 'headers.a' is 1.5, allowed: a whole number",
        "'names': ['a', 1]; 'names[1]' is 1, allowed: text",
        "'names': 'a'; 'names' is \"a\", allowed: an array",
        "'names': ''; 'names' is \"\", allowed: an array",
        "'share': '0.5'; 'share' is \"0.5\", allowed: a number",
        "'share': true; 'share' is true, allowed: a number",
        "'count': 1, 'count': 2; Duplicate field 'count'",
        "'headers': {'a': 1, 'a': 2}; Duplicate field 'a'",
        "'headers': {'a': }; not JSON: "
      })
  void aValueOfAnotherTypeIsNotTakenForTheRightOne(String fields, String detail)
      throws IOException {
    String target = fields.contains("'target'") ? "" : ", 'target': 't'";
    assertRefused(
        server.post("/v1/probe", ("{" + fields + target + "}").replace('\'', '"')), detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '!',
      value = {
        "{'target': 't'} {}; more follows after the JSON",
        "{'target': 't'}]; line 1",
        "'t'; the body is \"t\", allowed: an object",
        "''; the body is \"\", allowed: an object",
        "1; the body is 1, allowed: an object",
        "[{'target': 't'}]; the body is an array, allowed: an object"
      })
  void aBodyThatIsNoObjectIsRefused(String body, String detail) throws IOException {
    assertRefused(server.post("/v1/probe", body.replace('\'', '"')), detail);
  }

  @Test
  void aLongValueIsShownInPart() throws IOException {
    String json = "{\"target\": \"t\", \"count\": \"%s\"}".formatted("x".repeat(5_000));
    Answer answer = server.post("/v1/probe", json);

    assertRefused(answer, "'count' is \"" + "x".repeat(64) + "...\", allowed: a whole number");
  }

  @Test
  void valuesOfTheRightTypeAreTaken() throws IOException {
    String json =
        "{\"target\":\"1\",\"count\":2,\"most\":3,\"dryRun\":false,\"order\":\"ASCENDING\","
            + "\"headers\":{\"a\":1},\"names\":[\"\"],\"share\":1}";
    assertThat(server.post("/v1/probe", json).body())
        .isEqualTo(json.replace("\"share\":1", "\"share\":1.0"));
    assertThat(server.post("/v1/probe", "{\"target\": \"\", \"count\": null}").status())
        .isEqualTo(200);
  }
}
