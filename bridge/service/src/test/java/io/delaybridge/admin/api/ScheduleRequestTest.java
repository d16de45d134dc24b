package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
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

  /** It used to be left out in silence. */
  @Test
  void aHeaderWithoutAValueIsTheCallersFault() throws Exception {
    ScheduleRequest request =
        new ObjectMapper()
            .readValue(
                "{\"target\":\"t\",\"delay\":\"PT1S\",\"headers\":{\"a\":\"1\",\"b\":null}}",
                ScheduleRequest.class);

    assertThatThrownBy(() -> request.letter("in"))
        .isInstanceOfSatisfying(
            WebApplicationException.class,
            e -> {
              assertThat(e.getResponse().getStatus()).isEqualTo(400);
              assertThat(e.getResponse().getEntity().toString())
                  .contains("the value of header 'b' is null, allowed: text");
            });
  }

  @Test
  void anEndInSecondsIsTheCallersFault() throws Exception {
    ScheduleRequest request =
        new ObjectMapper()
            .readValue(
                "{\"target\":\"t\",\"id\":\"a\",\"repeat\":{\"cron\":\"@daily\",\"until\":1796000000}}",
                ScheduleRequest.class);

    assertThatThrownBy(() -> request.letter("in"))
        .hasMessageStartingWith("repeat.until is '1796000000', in milliseconds that is 1970-01-21");
  }

  private static final class ScheduleRequestOf {
    ScheduleRequest ttl(String ttl) {
      return new ScheduleRequest(
          "t", null, "PT1S", null, null, null, null, null, null, null, ttl, null, null, null);
    }
  }
}
