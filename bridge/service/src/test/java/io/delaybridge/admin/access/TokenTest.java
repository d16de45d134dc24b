package io.delaybridge.admin.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.Role;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {

  private static final String HASH = Token.hashOf("secret");

  @Test
  void theHashIsSha256() {
    assertThat(Token.hashOf("abc"))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void aTokenIs256RandomBitsAndNeverTheSame() {
    assertThat(Token.generate()).matches("dlb_[A-Za-z0-9_-]{43}").isNotEqualTo(Token.generate());
  }

  @Test
  void aLineSaysAll() {
    Token token = Token.parse("ops  sha256:" + HASH + "\tread,operate a,b 2030-01-31T08:00:00Z");

    assertThat(token)
        .isEqualTo(
            new Token(
                "ops",
                HASH,
                Set.of(Role.READ, Role.OPERATE),
                Set.of("a", "b"),
                Instant.parse("2030-01-31T08:00:00Z")));
  }

  @ParameterizedTest
  @ValueSource(strings = {" read *", " read,schedule a,b", " operate a 2030-01-31T08:00:00Z"})
  void aTokenWritesTheLineThatItIsReadFrom(String rest) {
    String line = "ops sha256:" + HASH + rest;

    assertThat(Token.parse(line).line()).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ops HASH read; 3 fields, allowed: name sha256:hash roles intakes [until]",
        "ops HASH read * 2030-01-31T08:00:00Z more; 6 fields",
        "o/s HASH read *; name is 'o/s', allowed: 1 to 64 letters",
        "ops HASH root *; role is 'root', allowed: read, schedule, operate",
        "ops HASH read, *; role is ''",
        "ops HASH read *,a; intake is '*', allowed: a topic name, or * alone",
        "ops HASH read * tomorrow; until is 'tomorrow', allowed: epoch milliseconds"
      })
  void whatIsWrongIsNamed(String line, String message) {
    assertThatThrownBy(() -> Token.parse(line.replace("HASH", "sha256:" + HASH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dlb_mistaken", "sha256:abc", "sha256:dlb_mistaken"})
  void aTokenInThePlaceOfItsHashIsRefusedAndNotShown(String hash) {
    assertThatThrownBy(() -> Token.parse("ops " + hash + " read *"))
        .hasMessage("the hash of 'ops' is not 'sha256:' and 64 hexadecimal digits");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dlb_secret ops operate *",
        "dlb_secret HASH read *",
        "ops HASH dlb_secret *",
        "ops HASH read dlb_se/cret",
        "ops HASH read * dlb_secret"
      })
  void aTokenAnywhereInALineIsRefusedAndNotShown(String line) {
    assertThatThrownBy(() -> Token.parse(line.replace("HASH", "sha256:" + HASH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("dlb_se");
  }

  @ParameterizedTest
  @CsvFileSource(
      files = "../../schemas/src/test/resources/instants.csv",
      useHeadersInDisplayName = true)
  void anEndIsReadOrRefusedAsEveryInstant(String text, @Nullable Long millis) {
    String line = "ops sha256:" + HASH + " read * " + text;

    if (millis == null && !text.endsWith(" ") && !text.startsWith(" ")) {
      assertThatThrownBy(() -> Token.parse(line)).isInstanceOf(IllegalArgumentException.class);
    } else if (millis != null) {
      assertThat(Token.parse(line).until())
          .satisfies(until -> assertThat(until.toEpochMilli()).isEqualTo(millis));
    }
  }

  @Test
  void aTokenExpiresAtTheInstantItself() {
    Token token = Token.parse("ops sha256:" + HASH + " read * 2030-01-31T08:00:00Z");

    assertThat(token.expired(Instant.parse("2030-01-31T07:59:59.999Z"))).isFalse();
    assertThat(token.expired(Instant.parse("2030-01-31T08:00:00Z"))).isTrue();
  }
}
