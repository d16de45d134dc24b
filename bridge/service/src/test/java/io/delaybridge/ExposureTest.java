package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.access.HostRule;
import io.dropwizard.configuration.ConfigurationException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ports may be open to whom. Nothing is bound here. */
class ExposureTest {

  private static String yaml(String api, String applicationHost, String adminHost) {
    return """
        api: {%s}
        server:
          applicationConnectors: [{type: http, port: 0, bindHost: %s}]
          adminConnectors: [{type: http, port: 0, bindHost: %s}]
        """
        .formatted(api, applicationHost, adminHost);
  }

  private static Exposure exposure(String api, String applicationHost, String adminHost)
      throws IOException, ConfigurationException {
    BridgeConfiguration config = ApiServer.config(yaml(api, applicationHost, adminHost));
    return new Exposure(config.api(), config.getServerFactory());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "'::'", "192.168.1.7", "null", "no-such-name.invalid"})
  void anOpenApiWithoutTokensIsRefusedAndTheKeysAreNamed(String host) {
    assertThatThrownBy(() -> ApiServer.config(yaml("", host, "127.0.0.1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("server.applicationConnectors[0].bindHost is")
        .hasMessageContaining("api.tokens")
        .hasMessageContaining("api.insecure: true")
        .hasMessageNotContaining("adminConnectors");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "localhost", "'::1'"})
  void aLoopbackAddressNeedsNoTokens(String host) {
    assertThatCode(() -> ApiServer.config(yaml("", host, host))).doesNotThrowAnyException();
  }

  @Test
  void everyConnectorCounts() {
    assertThatThrownBy(
            () ->
                ApiServer.config(
                    """
                    server:
                      applicationConnectors:
                        - {type: http, bindHost: 127.0.0.1}
                        - {type: https, bindHost: 0.0.0.0, keyStorePath: k, keyStorePassword: p}
                    """))
        .hasMessageContaining("server.applicationConnectors[1].bindHost is '0.0.0.0'");
  }

  @Test
  void aSimpleServerIsBoth() {
    assertThatThrownBy(
            () -> ApiServer.config("server: {type: simple, connector: {type: http, port: 0}}"))
        .hasMessageContaining("server.connector.bindHost is not set and api.tokens is empty")
        .hasMessageContaining("api.adminOpen: true");
  }

  @Test
  void withoutAServerSectionThePortsAreOnTheLoopback() {
    assertThatCode(() -> ApiServer.config("{}")).doesNotThrowAnyException();
  }

  @Test
  void aServerSectionWithoutConnectorsIsDropwizardsAndOpen() {
    assertThatThrownBy(() -> ApiServer.config("server: {minThreads: 8}"))
        .hasMessageContaining("bindHost is not set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tokens: file", "insecure: true"})
  void anOpenApiIsAllowedWithTokensOrAgainstBetterKnowledge(String api) {
    assertThatCode(() -> ApiServer.config(yaml(api, "0.0.0.0", "127.0.0.1")))
        .doesNotThrowAnyException();
  }

  @Test
  void anOpenAdminPortIsRefusedEvenWithTokens() {
    assertThatThrownBy(() -> ApiServer.config(yaml("tokens: file", "0.0.0.0", "0.0.0.0")))
        .hasMessageContaining("server.adminConnectors[0].bindHost is '0.0.0.0'")
        .hasMessageContaining("api.adminOpen: true")
        .hasMessageNotContaining("applicationConnectors");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tokens: file, adminOpen: true", "insecure: true"})
  void anOpenAdminPortIsAllowedWhereItIsSaid(String api) {
    assertThatCode(() -> ApiServer.config(yaml(api, "0.0.0.0", "0.0.0.0")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "adminOpen: true, 0.0.0.0, true",
    "'adminOpen: true, insecure: true', 0.0.0.0, false",
    "insecure: true, 0.0.0.0, false",
    "adminOpen: true, 127.0.0.1, false"
  })
  void withoutTokensAnAdminPortThatIsOpenToLookAtLetsNobodyChangeAnything(
      String api, String host, boolean guarded) throws Exception {
    try (ApiServer server = ApiServer.built(yaml(api, "127.0.0.1", host))) {
      assertThat(server.adminFilters().contains("task-guard")).isEqualTo(guarded);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; 127.0.0.1; LOOPBACK; LOOPBACK",
        "insecure: true; 127.0.0.1; LOOPBACK; LOOPBACK",
        "insecure: true; 0.0.0.0; LOCAL; LOCAL",
        "insecure: true, adminOpen: true; 0.0.0.0; LOCAL; LOCAL",
        "tokens: file; 127.0.0.1; ANY; LOOPBACK",
        "tokens: file, adminOpen: true; 0.0.0.0; ANY; ANY"
      })
  void theNamesThatACallMayBeAddressedToFollowFromWhoCanReachThePort(
      String api, String host, HostRule application, HostRule admin)
      throws IOException, ConfigurationException {
    Exposure exposure = exposure(api, host, host);

    assertThat(exposure.applicationHosts()).isEqualTo(application);
    assertThat(exposure.adminHosts()).isEqualTo(admin);
  }

  @Test
  void aTokenTravelsInTheClearOnAnOpenHttpPort() throws IOException, ConfigurationException {
    assertThat(exposure("tokens: file", "0.0.0.0", "127.0.0.1").clear()).isTrue();
    assertThat(exposure("tokens: file", "127.0.0.1", "127.0.0.1").clear()).isFalse();
  }
}
