package io.delaybridge.admin.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostRuleTest {

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:8080", "127.0.0.1:80", "127.1.2.3", "[::1]:1"})
  void theLoopbackIsGoodForEveryRule(String host) {
    assertThat(HostRule.values()).allMatch(rule -> rule.passes(host));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bridge", "bridge:8080", "10.0.0.7:8080", "[fe80::1]:8080"})
  void whatCanNotBeTheNameOfASiteIsGoodWhereOtherMachinesCall(String host) {
    assertThat(HostRule.LOCAL.passes(host)).isTrue();
    assertThat(HostRule.LOOPBACK.passes(host)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.", ""})
  void whatCanBeTheNameOfASiteIsGoodOnlyWithTokens(String host) {
    assertThat(HostRule.ANY.passes(host)).isTrue();
    assertThat(HostRule.LOCAL.passes(host)).isFalse();
    assertThat(HostRule.LOOPBACK.passes(host)).isFalse();
  }

  @Test
  void aCallThatSaysNoHostIsNotFromABrowser() {
    assertThat(HostRule.values()).allMatch(rule -> rule.passes(null));
  }
}
