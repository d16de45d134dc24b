package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.ApiServer.Answer;
import io.delaybridge.admin.api.WhoamiResource;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without tokens the port is the only protection, and a browser on this machine is behind it. */
class ApiWithoutTokensTest {

  private static ApiServer server;

  @BeforeAll
  static void start() throws Exception {
    server = ApiServer.start("", new WhoamiResource(List.of("in-1"), false), new ProbeResource());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyoneMayDoEverything() throws IOException {
    assertThat(server.get("/v1/whoami").body())
        .isEqualTo(
            "{\"name\":\"anyone\",\"roles\":[\"read\",\"schedule\",\"operate\"],"
                + "\"intakes\":[\"in-1\"],\"authentication\":\"none\"}");
    assertThat(server.call("PUT", "/v1/probe", "").status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "127.0.0.1.evil.example", "192.168.1.1", "localhost.evil.example"})
  void aNameThatIsNotThisMachinesIsRefused(String host) throws IOException {
    double before = server.refused("host");

    Answer answer = server.get("/v1/whoami", "Host: " + host);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.body()).contains("api.tokens", "localhost, 127.0.0.1 or [::1]");
    assertThat(server.refused("host")).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:8080", "127.0.0.1", "[::1]:8080", "LocalHost"})
  void thisMachinesNamesAreGood(String host) throws IOException {
    assertThat(server.get("/v1/whoami", "Host: " + host).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://localhost:1"
      })
  void aPageOfAnotherSiteChangesNothing(String header) throws IOException {
    assertThat(server.call("PUT", "/v1/probe", "", header).status()).isEqualTo(403);
    assertThat(server.admin("POST", "/tasks/gc", header).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"})
  void aPageOfItsOwnMay(String header) throws IOException {
    assertThat(server.call("PUT", "/v1/probe", "", header).status()).isEqualTo(204);
  }

  @Test
  void anOlderBrowserIsKnownByTheOriginOfItsPage() throws IOException {
    assertThat(
            server
                .call("PUT", "/v1/probe", "", "Host: localhost:80", "Origin: http://localhost:80")
                .status())
        .isEqualTo(204);
  }

  @Test
  void aPageOfAnotherSiteIsNotAllowedToReadByAnyHeader() throws IOException {
    Answer preflight =
        server.call(
            "OPTIONS",
            "/v1/probe",
            "",
            "Origin: http://evil.example",
            "Access-Control-Request-Method: PUT");

    assertThat(preflight.headers().keySet())
        .noneMatch(name -> name.startsWith("access-control-allow"));
  }
}
