package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.schemas.DelayHeaders;
import jakarta.ws.rs.WebApplicationException;
import org.junit.jupiter.api.Test;

class ScheduleRequestTest {

  @Test
  void aDurationBeyondMillisecondsIsTheCallersFault() {
    assertThatThrownBy(() -> new ScheduleRequestOf().ttl("PT9223372036854775807S").letter("in"))
        .isInstanceOf(WebApplicationException.class);
  }

  @Test
  void theTargetComesBeforeTheTimeSoThatLessIsStored() {
    assertThat(new ScheduleRequestOf().ttl("PT1H").letter("in").headers().keySet())
        .startsWith(DelayHeaders.TARGET_TOPIC, DelayHeaders.DELAY_DURATION);
  }

  private static final class ScheduleRequestOf {
    ScheduleRequest ttl(String ttl) {
      return new ScheduleRequest(
          "t", "PT1S", null, null, null, null, null, null, null, ttl, null, null, null);
    }
  }
}
