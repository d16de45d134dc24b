package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.config.KafkaConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaClientsTest {

  /** RFC 6761: no resolver knows a name in the domain {@code invalid}. */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9092, , true",
    "no-such-host.invalid:9092, , false",
    "'no-such-host.invalid:9092,127.0.0.1:9092', , true",
    "'no-such-host.invalid:9092,127.0.0.1:9092', use_all_dns_ips, true",
    "'no-such-host.invalid:9092,127.0.0.1:9092', resolve_canonical_bootstrap_servers_only, false",
    "127.0.0.1:9092, resolve_canonical_bootstrap_servers_only, true"
  })
  void aNameIsKnownIfKafkasClientCanBeginWithIt(
      String servers, @Nullable String lookup, boolean known) {
    Map<String, String> properties =
        lookup == null ? Map.of() : Map.of("client.dns.lookup", lookup);
    KafkaClients clients =
        new KafkaClients(KafkaConfig.of(servers, null, null, properties, null, null, null));

    assertThat(clients.isNameKnown()).isEqualTo(known);
  }
}
