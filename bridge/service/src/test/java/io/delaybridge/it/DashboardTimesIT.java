package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.InstantText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** How the page reads times. */
@EnabledIf(value = "io.delaybridge.it.Browser#isThere", disabledReason = Browser.NONE)
final class DashboardTimesIT {

  private static final Path TABLE = Path.of("../../schemas/src/test/resources/instants.csv");
  private static final Pattern ROW = Pattern.compile("(\"([^\"]*)\"|[^,]*),([0-9]*),[0-9]*,(.*)");

  private static Browser browser;

  private FakeApi api;

  @BeforeAll
  static void start() {
    browser = new Browser();
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  @BeforeEach
  void serve() {
    api = new FakeApi();
  }

  @AfterEach
  void noComplaints() {
    browser.zone("");
    api.close();
    assertThat(browser.errors()).isEmpty();
  }

  @Test
  void a_time_is_understood_the_way_people_write_it() {
    browser.open(api.uri());
    Map.of(
            "30s", "{\"delay\":\"PT30S\"}",
            "1h 30m", "{\"delay\":\"PT5400S\"}",
            "250ms", "{\"delay\":\"PT0.25S\"}",
            "pt30m", "{\"delay\":\"PT30M\"}",
            "2030-01-31T08:00:00Z", "{\"deliverAt\":\"2030-01-31T08:00:00Z\"}",
            "2030-01-31 08:00Z", "{\"deliverAt\":\"2030-01-31T08:00Z\"}",
            "1796000000", "{\"deliverAt\":\"1796000000\"}",
            "soon", "“soon” is neither a delay",
            "30", "“30” is neither a delay",
            "", "“” is neither a delay")
        .forEach((text, expected) -> assertThat(parsed(text)).startsWith(expected));
  }

  @Test
  void a_date_begins_where_the_reader_is() {
    browser.zone("America/New_York").open(api.uri());

    assertThat(parsed("2030-01-31")).isEqualTo("{\"deliverAt\":\"2030-01-31T05:00:00.000Z\"}");
    assertThat(parsed("2030-01-31 08:00"))
        .isEqualTo("{\"deliverAt\":\"2030-01-31T13:00:00.000Z\"}");
  }

  @Test
  void a_time_that_the_clocks_of_the_reader_skip_is_refused() {
    browser.zone("Europe/Berlin").open(api.uri());

    for (String text : List.of("2027-03-28 02:30", "2027-02-30 08:00", "2027-02-29")) {
      assertThat(parsed(text)).isEqualTo("“" + text + "” does not exist.");
    }
    assertThat(parsed("2027-03-28 03:00"))
        .isEqualTo("{\"deliverAt\":\"2027-03-28T01:00:00.000Z\"}");
  }

  @Test
  void each_time_says_its_zone_and_a_switch_shows_utc_from_then_on() {
    long due = Instant.parse("2030-01-31T08:00:00Z").toEpochMilli();
    api.answer(
        "GET messages",
        """
        {'messages': [{'source': 'in/0/5', 'offset': 5, 'id': 'm1', 'intake': 'in', 'target': 't',
         'due': %d, 'state': 'PENDING', 'attempt': 1, 'bytes': 9}], 'cursor': null}"""
            .formatted(due));
    browser.zone("America/New_York").open(api.uri()).awaitText("#upcoming", "m1");
    assertThat(shownTime()).isEqualTo("31 Jan 2030, 03:00:00 GMT-5");
    try {
      browser.script(
          "const zone = document.getElementById('zone'); zone.value = 'UTC';"
              + "zone.dispatchEvent(new Event('change'))");
      assertThat(shownTime()).isEqualTo("31 Jan 2030, 08:00:00 UTC");
      assertThat(parsed("2030-01-31 08:00"))
          .isEqualTo("{\"deliverAt\":\"2030-01-31T08:00:00.000Z\"}");

      browser.open(api.uri()).awaitText("#upcoming", "m1");
      assertThat(shownTime()).isEqualTo("31 Jan 2030, 08:00:00 UTC");
      assertThat(browser.accessibilityFaults()).isEmpty();
    } finally {
      browser.script("localStorage.clear()");
    }
  }

  private static @Nullable Object shownTime() {
    return browser.script("return document.querySelector('#upcoming time').dataset.absolute");
  }

  /** What has an offset, the API reads; the page reads what has none. */
  @Test
  void an_instant_is_read_or_refused_as_everywhere() throws IOException {
    browser.zone("UTC").open(api.uri());
    List<String> rows = Files.readAllLines(TABLE);
    SoftAssertions all = new SoftAssertions();

    assertThat(rows).hasSizeGreaterThan(50);
    for (String row : rows.subList(1, rows.size())) {
      Matcher cells = ROW.matcher(row);
      assertThat(cells.matches()).as(row).isTrue();
      // People may write these here.
      if (!Set.of("no offset", "no time", "a blank").contains(cells.group(4))) {
        String text = cells.group(2) == null ? cells.group(1) : cells.group(2);
        Long millis = cells.group(3).isEmpty() ? null : Long.valueOf(cells.group(3));
        String local = text.replaceFirst("[zZ]$", "");
        all.assertThat(instant(parsed(text))).as(text).isEqualTo(millis);
        all.assertThat(instant(parsed(local))).as(local).isEqualTo(millis);
      }
    }
    all.assertAll();
  }

  private static @Nullable Long instant(String parsed) {
    String deliverAt = parsed.replaceFirst("^\\{\"deliverAt\":\"(.*)\"}$", "$1");
    try {
      return InstantText.parse(deliverAt).toEpochMilli();
    } catch (InstantText.RefusedException e) {
      return null;
    }
  }

  private static String parsed(String text) {
    return String.valueOf(
        browser.later(
            """
            const [text, done] = arguments;
            import('/dashboard/when.js')
              .then(({parseWhen}) => done(JSON.stringify(parseWhen(text))))
              .catch(error => done(error.message));
            """,
            text));
  }
}
