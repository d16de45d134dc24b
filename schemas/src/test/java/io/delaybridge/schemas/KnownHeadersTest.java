package io.delaybridge.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownHeadersTest {

  @Test
  void everyHeaderOfTheBridgeHasItsPrefixAndIsKnown() {
    assertThat(DelayHeaders.KNOWN)
        .isNotEmpty()
        .allMatch(KnownHeaders::isOurs)
        .allMatch(name -> KnownHeaders.isKnown(name, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay-timezone", "delay-ttl", "delay-", "delay-Zone"})
  void anyOtherNameWithThePrefixIsUnknown(String name) {
    assertThat(KnownHeaders.isOurs(name)).isTrue();
    assertThat(KnownHeaders.isKnown(name, 1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Delay-Zone", "x-delay-zone", "delay", "delayed", "delay_zone", ""})
  void whatDoesNotBeginWithThePrefixIsNotOurs(String name) {
    assertThat(KnownHeaders.isOurs(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "delay-timezone, delay-zone",
    "delay-ttl, delay-ttl-ms",
    "delay-target, delay-target-topic",
    "delay-duraton, delay-duration",
    "delay-idd, delay-id",
    "delay-ID, delay-id",
    "delay-Zone, delay-zone",
    "delay-deliverat, delay-deliver-at",
    "delay-attempts, delay-max-attempts",
    "delay-spread, delay-spread-ms",
    "delay-callback, delay-callback-url"
  })
  void theNearestNameIsTheOneThatNeedsTheFewestChanges(String unknown, String near) {
    assertThat(KnownHeaders.nearest(unknown)).contains(near);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay-", "delay-x", "delay-tenant-of-the-order"})
  void aNameThatIsNearToNoneHasNoNearest(String unknown) {
    assertThat(KnownHeaders.nearest(unknown)).isEmpty();
  }

  /** Whoever writes them because of an error would have a header that is known and ignored. */
  @ParameterizedTest
  @ValueSource(strings = {"delay-due", "delay-retries", "delay-pause", "delay-delivered"})
  void noHeaderThatOnlyTheBridgeWritesIsTheNearest(String unknown) {
    assertThat(KnownHeaders.nearest(unknown).orElse("none"))
        .isNotIn(DelayHeaders.ARRIVAL)
        .isNotIn(DelayHeaders.RETRY, DelayHeaders.PAUSED, DelayHeaders.LAST);
  }

  @Test
  void aRefusalNamesTheHeaderAndWhatWasMeant() {
    assertThat(KnownHeaders.refusal("delay-timezone"))
        .isEqualTo(
            "delay-timezone is not a header of the bridge (did you mean delay-zone?), and names"
                + " that begin with delay- are reserved for it");
    assertThat(KnownHeaders.refusal("delay-x"))
        .isEqualTo(
            "delay-x is not a header of the bridge, and names that begin with delay- are reserved"
                + " for it");
  }

  @Test
  void aVeryLongNameIsCut() {
    assertThat(KnownHeaders.refusal("delay-" + "x".repeat(100_000)))
        .startsWith("delay-" + "x".repeat(58) + "... is not")
        .hasSizeLessThan(200);
  }
}
