package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import jakarta.ws.rs.WebApplicationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleRequestTest {

  @Test
  void aDurationBeyondMillisecondsIsTheCallersFault() {
    assertThatThrownBy(() -> new ScheduleRequestOf().ttl("PT9223372036854775807S").letter("in"))
        .isInstanceOf(WebApplicationException.class);
  }

  @Test
  void theTargetComesBeforeTheTimeSoThatLessIsStored() {
    assertThat(new ScheduleRequestOf().ttl("PT1H").letter("in").headers())
        .extracting(StoredHeader::name)
        .startsWith(DelayHeaders.TARGET_TOPIC, DelayHeaders.DELAY_DURATION);
  }

  @Test
  void headersAreAListOfPairsInTheirOrderOrAnObjectOfTexts() throws Exception {
    assertThat(
            own(
                """
                [{"name": "tag", "value": "a"}, {"name": "tag", "value": "b"},
                 {"name": "x", "valueBase64": "AP8="}, {"name": "y", "value": null}]"""))
        .containsExactly(
            new StoredHeader("tag", new byte[] {'a'}),
            new StoredHeader("tag", new byte[] {'b'}),
            new StoredHeader("x", new byte[] {0, -1}),
            new StoredHeader("y", null));
    assertThat(own("{\"tag\": \"a\"}")).containsExactly(new StoredHeader("tag", new byte[] {'a'}));
    assertThat(own("[]")).isEmpty();
    assertThat(own("null")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'x'                                         | headers is x, allowed: an array of headers",
        "[null]                                      | headers has null, allowed: an object with",
        "[{'value': 'a'}]                            | Missing required creator property 'name'",
        "[{'name': null, 'value': 'a'}]              | the name of a header is null, allowed: text",
        "[{'name': 'a', 'val': 'b'}]                 | Unrecognized field \"val\"",
        "[{'name': 'a', 'value': 'b', 'valueBase64': 'AA=='}] | give either headers.a.value or",
        "[{'name': 'a', 'valueBase64': '*'}]         | headers.a.valueBase64 is '*', allowed: Base64",
        "[{'name': 'delay-op', 'value': 'cancel'}]   | header name is 'delay-op', allowed: names"
      },
      quoteCharacter = '"')
  void whatIsNoListOfHeadersIsTold(String headers, String message) {
    assertThatThrownBy(() -> own(headers.replace('\'', '"'))).hasStackTraceContaining(message);
  }

  @Test
  void onlySoManyHeadersAreTaken() throws Exception {
    String one = "{\"name\": \"a\", \"value\": \"b\"}";

    assertThat(own("[" + (one + ",").repeat(63) + one + "]")).hasSize(64);
    assertThatThrownBy(() -> own("[" + (one + ",").repeat(64) + one + "]"))
        .hasMessage("65 headers, allowed: at most 64");
  }

  /** The headers beside target and time. */
  private static List<StoredHeader> own(String headers) throws Exception {
    ScheduleRequest request =
        new ObjectMapper()
            .readValue(
                "{\"target\":\"t\",\"delay\":\"PT1S\",\"headers\":" + headers + "}",
                ScheduleRequest.class);
    List<StoredHeader> all = request.letter("in").headers();
    return all.subList(2, all.size());
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
