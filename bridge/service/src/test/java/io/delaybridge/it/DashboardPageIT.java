package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The page by itself, with answers that are hard to get from a real bridge. */
@EnabledIf(value = "io.delaybridge.it.Browser#isThere", disabledReason = Browser.NONE)
final class DashboardPageIT {

  private static final Duration SOON = Duration.ofSeconds(60);

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
    browser.size(1280, 900);
  }

  @AfterEach
  void noComplaints() {
    api.close();
    // The browser's messages about a server that is down are expected, and name the call.
    assertThat(browser.errors()).isEmpty();
  }

  private static long secondsAgo(int seconds) {
    return System.currentTimeMillis() - seconds * 1000L;
  }

  @Test
  void an_empty_bridge_is_healthy_and_says_that_nothing_is_there() {
    browser.open(api.uri()).awaitText("#headline", "Healthy, nothing late");
    browser.awaitText("#advice", "Nothing is pending.");
    browser.awaitText("#upcoming-empty", "Nothing is due soon.");
    browser.awaitText("#dead-empty", "No dead letters.");
    browser.awaitText("#targets-empty", "Nothing was delivered yet.");
    assertThat(browser.text(".error")).isBlank();
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void people_who_see_little_or_nothing_can_use_it(String scheme) {
    api.answer(
        "GET shards",
        "[" + FakeApi.shard(0, "'overdue': 1, 'nextDue': 1, 'problem': 'records are gone'") + "]");
    browser.colors(scheme).size(390, 844).open(api.uri()).awaitText("#headline", "problem");
    assertThat(browser.accessibilityFaults()).isEmpty();
    browser.colors("light");
  }

  @Test
  void a_token_that_is_refused_is_not_kept_and_one_that_is_accepted_is() {
    api.answer("GET whoami", 401, "{'detail': 'no such token'}");
    browser.open(api.uri()).fill("#login-token", "wrong").keys(Keys.ENTER);
    browser.awaitText("#login-error", "This token is not accepted.");
    assertThat(browser.script("return sessionStorage.length")).isEqualTo(0L);
    assertThat(browser.accessibilityFaults()).isEmpty();
    api.answer("GET whoami", FakeApi.whoami("read"));
    browser.fill("#login-token", "right").keys(Keys.ENTER).awaitText("#headline", "Healthy");
    api.answer("GET stats", 401, "{'detail': 'expired'}");
    browser.comeBack().seen("#login");
  }

  @Test
  void a_late_shard_is_named_first_with_how_late_it_is() {
    String late = "'pending': 7, 'overdue': 7, 'nextDue': " + secondsAgo(42);
    api.answer("GET shards", "[" + FakeApi.shard(0, "") + "," + FakeApi.shard(1, late) + "]");
    browser.open(api.uri()).awaitText("#headline", "1 shard late, oldest 4");
  }

  @Test
  void a_pause_says_what_to_do() {
    api.answer("GET shards", "[" + FakeApi.shard(0, "'paused': true") + "]");
    browser.open(api.uri()).awaitText("#headline", "Delivery is paused");
    browser.awaitText("#advice", "Resume all").awaitText("#pause-all", "Resume all");
  }

  @Test
  void what_may_be_done_all_the_same_is_not_called_undone() {
    api.answer("PUT pause", 504, "{'detail': 'the request at in/0/7 was not answered'}");
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    browser.click("#pause-all").click("#confirm-yes");
    browser.awaitText("#toast", "Not known whether it was done: the request at in/0/7");

    api.answer("PUT pause", 403, "{'detail': 'not yours'}");
    browser.click("#pause-all").click("#confirm-yes");
    browser.awaitText("#toast", "Not done: not yours");
  }

  @Test
  void among_64_shards_the_one_with_a_problem_comes_first_and_the_page_fits_a_phone() {
    api.answer(
        "GET shards",
        "["
            + shards(63, "'pending': 123456789, 'lag': 987654")
            + ","
            + FakeApi.shard(63, "'state': 'STOPPED', 'problem': 'records are gone'")
            + "]");
    browser.size(360, 780).open(api.uri());
    browser.awaitText("#headline", "1 shard of 64 has a problem");
    browser.awaitText("#advice", "in/63: records are gone");
    assertThat(browser.text("#shards tbody tr:first-child")).contains("in/63", "records are gone");
    assertThat(browser.script("return document.querySelectorAll('#shards tbody tr').length"))
        .isEqualTo(64L);
    assertThat(browser.overflow()).isLessThanOrEqualTo(0);
  }

  @Test
  void a_bridge_that_goes_away_is_said_to_and_is_found_again() {
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    api.stop();
    browser.awaitText("#headline", "Connection lost").awaitText("#freshness", "last update");
    assertThat(browser.isSeen("#shards tbody tr")).isTrue();
    api.restart();
    browser.awaitText("#headline", "Healthy");
    assertThat(browser.text("#freshness")).isBlank();
  }

  @Test
  void one_call_without_an_answer_does_not_mean_that_the_connection_is_lost() {
    api.answer("GET forecast", 0, "");
    browser.open(api.uri()).awaitText("#forecast-error", "does not answer");
    int before = api.calls();
    await().atMost(SOON).until(() -> api.calls() > before + 20);

    assertThat(browser.text("#headline")).contains("Healthy");
    assertThat(browser.text("#freshness")).isBlank();
  }

  @Test
  void a_bridge_that_can_not_tell_how_it_is_is_not_called_healthy() {
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    api.answer("GET health", 500, "{'detail': 'something broke'}");
    browser
        .comeBack()
        .awaitText("#headline", "cannot tell")
        .awaitText("#advice", "something broke");
    api.answer(
        "GET health",
        "{'healthy': false, 'checks': [{'name': 'redis', 'healthy': false, 'message': 'no answer'}]}");
    browser
        .comeBack()
        .awaitText("#headline", "Not healthy: redis")
        .awaitText("#advice", "no answer");
  }

  @Test
  void what_fails_is_named_also_where_nothing_else_can_be_told() {
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    api.answer("GET shards", 503, "{'detail': 'Redis does not answer'}");
    browser.comeBack().awaitText("#headline", "cannot tell");
    api.answer(
        "GET health",
        "{'healthy': false, 'checks': [{'name': 'redis', 'healthy': false, 'message': 'refused'}]}");
    browser.comeBack().awaitText("#headline", "Not healthy: redis").awaitText("#advice", "refused");
  }

  @Test
  void one_part_that_fails_says_why_and_leaves_the_others_alone() {
    api.answer("GET deadletters", 503, "{'detail': 'the index is being built'}");
    browser.open(api.uri()).awaitText("#dead-error", "the index is being built");
    browser.awaitText("#headline", "Healthy");
    api.answer("GET deadletters", "{'deadLetters': [], 'cursor': null}");
    browser.comeBack().awaitGone("#dead-error");
  }

  @Test
  void what_stands_in_a_message_is_shown_as_text() {
    String hostile = "<img src=x onerror=document.title=1>";
    api.answer("GET messages", "{'messages': [" + message(hostile) + "], 'cursor': null}");
    api.answer("GET messages/in/0/5", message(hostile));
    browser.open(api.uri()).awaitText("#upcoming", hostile);
    browser.click("#upcoming button").awaitText("#details-title", hostile);
    assertThat(browser.text("#details pre")).contains(hostile);
    assertThat(browser.script("return document.querySelectorAll('img').length")).isEqualTo(0L);
  }

  @Test
  void every_row_of_a_list_is_reached() {
    api.answer("GET deadletters?limit=20", deadLetters(0, 20, "'a'"));
    api.answer("GET deadletters?limit=40", deadLetters(0, 30, "'b'"));
    api.answer("GET deadletters?limit=10&cursor=b", deadLetters(29, 12, "null"));
    browser.open(api.uri()).awaitText("#dead-shown", "The first 20 are shown; there are more.");
    browser.click("#dead-more").awaitText("#dead-shown", "All 41 are shown.");
    assertThat(browser.script("return document.querySelectorAll('#dead tbody tr').length"))
        .isEqualTo(41L);
    assertThat(browser.isSeen("#dead-more")).isFalse();
    assertThat(browser.isSeen("#upcoming-more")).isFalse();
  }

  private static String deadLetters(int from, int count, String cursor) {
    return IntStream.range(from, from + count)
        .mapToObj(
            n -> letter("NEW").replace("in/0/5", "in/0/" + n).replace("dead/0/1", "dead/0/" + n))
        .collect(Collectors.joining(",", "{'deadLetters': [", "], 'cursor': " + cursor + "}"));
  }

  @Test
  void each_header_is_shown_in_its_order_with_what_it_is() {
    api.answer("GET messages/m1", message("m1"));
    browser.open(api.uri()).fill("#search-ref", "m1").click("#search button");
    browser.seen("#details pre");
    assertThat(
            browser.script(
                "return [...document.querySelectorAll('#details .content tr')]"
                    + ".map(row => [...row.cells].map(cell => cell.innerText).join(': '))"))
        .isEqualTo(
            List.of(
                "h: m1",
                "h: again",
                "bytes: AP8=\nnot text; in Base64",
                "nothing: null",
                "empty: "));
  }

  @Test
  void a_replay_with_other_headers_may_give_several_of_one_name() {
    browser.open(api.uri());
    assertThat(
            browser.later(
                """
                const done = arguments[0];
                import('/dashboard/headers.js').then(({parseHeaders}) =>
                  done(JSON.stringify(parseHeaders(' tag=a\\n\\ntag = b=c \\ndelay-id\\nempty='))));
                """))
        .isEqualTo(
            "{\"headers\":[{\"name\":\"tag\",\"value\":\"a\"},{\"name\":\"tag\",\"value\":\"b=c\"},"
                + "{\"name\":\"empty\",\"value\":\"\"}],\"removeHeaders\":[\"delay-id\"]}");
  }

  @Test
  void a_cancel_that_comes_too_late_says_so_in_the_dialog() {
    api.answer("GET messages/m1", message("m1"));
    api.answer("DELETE messages/in/0/5", 409, "{'detail': 'It was delivered 2 s ago.'}");
    browser.open(api.uri()).fill("#search-ref", "m1").click("#search button");
    browser.click("#details .danger").click("#confirm-yes");
    browser.awaitText("#details-error", "It was delivered 2 s ago.");
  }

  @Test
  void a_message_that_was_moved_is_asked_for_where_it_is_now() {
    String moved = message("m1").replace("'offset': 5", "'offset': 9");
    api.answer("GET messages", "{'messages': [" + moved + "], 'cursor': null}");
    api.answer("GET messages/in/0/9", moved);
    api.answer("PATCH messages/in/0/9", "{'result': 'MOVED', 'source': 'in/0/5', 'due': 1}");
    browser.open(api.uri()).click("#upcoming button").awaitText("#details-title", "m1");
    browser.fill("#details form input", "1h").click("#details form button:not(.danger)");
    browser.awaitText("#details-title", "Rescheduled");
  }

  @Test
  void a_far_message_is_cancelled_by_the_name_that_found_it() {
    api.answer("GET messages/m1", message("m1").replace("PENDING", "FAR"));
    api.answer("DELETE messages/in/0/5", 409, "{'code': 'RECORD_DELETED', 'detail': 'by its id'}");
    api.answer("DELETE messages/m1", "{'result': 'CANCELLED', 'source': 'in/0/5'}");
    browser.open(api.uri()).fill("#search-ref", "m1").click("#search button");
    browser.awaitText("#details-body", "in the later topic");
    browser.click("#details .danger").click("#confirm-yes");
    browser.awaitText("#details-title", "Cancelled");
  }

  @Test
  void a_shard_of_another_bridge_is_well_as_long_as_somebody_owns_it() {
    String elsewhere = FakeApi.shard(1, "").replace("'OPEN'", "null");
    String nobodys = FakeApi.shard(2, "").replace("'loop-0'", "null").replace("'OPEN'", "null");
    api.answer("GET shards", "[" + elsewhere + "]");
    browser.open(api.uri()).awaitText("#headline", "Healthy").awaitText("#shards .state", "owned");
    api.answer("GET shards", "[" + elsewhere + "," + nobodys + "]");
    browser.comeBack().awaitText("#headline", "1 shard of 2 has no owner");
    browser.awaitText("#shards tbody tr:first-child", "no owner");
  }

  @Test
  void who_may_only_read_is_offered_nothing_else() {
    api.answer("GET whoami", FakeApi.whoami("read"));
    api.answer("GET messages", "{'messages': [" + message("m1") + "], 'cursor': null}");
    api.answer("GET messages/in/0/5", message("m1"));
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    assertThat(browser.isSeen("[data-role]")).isFalse();
    browser.click("#upcoming button").awaitText("#details-title", "m1");
    assertThat(browser.isSeen("#details-body button")).isFalse();
  }

  @Test
  void who_may_only_schedule_is_told_that_there_is_nothing_to_see() {
    api.answer("GET whoami", FakeApi.whoami("schedule"));
    browser.open(api.uri()).awaitText("#headline", "does not show how the bridge is");
    browser.click("#schedule-open").seen("#schedule");
  }

  @Test
  void a_bridge_without_an_index_of_dead_letters_shows_none() {
    api.answer("GET deadletters", 404, "{'detail': 'there is no such path'}");
    api.answer("GET deadletters/counts", 404, "{'detail': 'there is no such path'}");
    browser.open(api.uri()).awaitText("#headline", "Healthy").awaitGone("#dead-panel");
  }

  @Test
  void only_what_the_bridge_is_sure_of_is_said_to_be_gone() {
    api.answer("GET messages/gone", 404, "{'detail': 'gone is not pending'}");
    api.answer("GET messages/late", 504, "{'detail': 'ask again'}");
    api.answer(
        "GET messages/twice", 409, "{'code': 'AMBIGUOUS', 'detail': 'name one by its source'}");
    api.answer("GET messages/in/0/7", 409, "{'code': 'FAR_WITHOUT_ID', 'detail': 'wait'}");
    api.answer("GET messages/in/0/8", 409, "{'code': 'RECORD_DELETED', 'detail': 'by its id'}");
    browser.open(api.uri()).fill("#search-ref", "  ").click("#search button");
    Map.of(
            "gone", "Nothing is pending",
            "late", "Not known whether",
            "twice", "Several are pending",
            "in/0/7", "far ahead, and has no delay-id",
            "in/0/8", "has deleted its record")
        .forEach(
            (name, headline) -> {
              browser.fill("#search-ref", name).click("#search button");
              browser.awaitText("#details-title", headline).keys(Keys.ESCAPE).awaitGone("#details");
            });
  }

  @Test
  void nothing_is_asked_while_the_page_is_hidden() {
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    hide(true);
    // Calls that were in progress when it was hidden may still arrive.
    await().during(Duration.ofMillis(500)).until(callsStay());
    // Otherwise it would ask every two seconds.
    await().during(Duration.ofMillis(2500)).atMost(SOON).until(callsStay());
    int before = api.calls();
    hide(false);
    await().atMost(SOON).until(() -> api.calls() > before);
  }

  private java.util.concurrent.Callable<Boolean> callsStay() {
    int[] last = {api.calls()};
    return () -> {
      int now = api.calls();
      boolean same = now == last[0];
      last[0] = now;
      return same;
    };
  }

  private static void hide(boolean hidden) {
    browser.script(
        "Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true});"
            + "document.dispatchEvent(new Event('visibilitychange'))",
        hidden);
  }

  @Test
  void an_update_leaves_the_focus_and_the_rows_where_they_are() {
    browser.open(api.uri()).awaitText("#shards tbody", "in/0");
    browser.script("document.querySelector('#shards tbody button').focus()");
    api.answer("GET shards", "[" + FakeApi.shard(0, "'pending': 4711") + "]");
    browser.comeBack().awaitText("#shards tbody", "4,711");
    assertThat(browser.script("return document.activeElement.matches('#shards tbody button')"))
        .isEqualTo(true);
  }

  @Test
  void what_is_far_is_pending_although_nothing_is_due_next() {
    api.answer("GET shards", "[" + FakeApi.shard(0, "'pending': 3, 'far': 3") + "]");
    browser.open(api.uri()).awaitText("#advice", "All that is pending is far ahead.");
  }

  @Test
  void plots_have_their_numbers_in_words() {
    long now = System.currentTimeMillis();
    String point =
        "{'at': %d, 'in': 120, 'out': 30, 'dead': 2, 'p50': 7, 'p99': 1500, 'max': 2500,"
            + " 'pending': 1, 'overdue': 0}";
    api.answer("GET history", "{'stepMillis': 10000, 'points': [" + point.formatted(now) + "]}");
    api.answer(
        "GET forecast",
        ("{'from': %d, 'widthMillis': 60000, 'overdue': 3, 'buckets': [5, 0, 37], 'later': 1,"
                + " 'far': 4711, 'sampled': 40}")
            .formatted(now));
    api.answer(
        "GET deadletters/counts",
        "{'windowMillis': 60000, 'counts': [{'reason': 'A', 'target': 't', 'at': 0, 'count': 1},"
            + " {'reason': 'B', 'target': null, 'at': 0, 'count': 2}]}");
    browser.open(api.uri()).awaitText("#forecast-caption", "in this hour 42");
    browser.awaitText("#forecast-caption", "far 4,711");
    browser.awaitText("#days-caption", "In 60 days 42");
    browser.awaitText("#days-caption", "estimated from 40");
    browser.awaitText("#throughput-caption", "In 12.0").awaitText("#throughput-caption", "Out 3.0");
    browser.awaitText("#lateness-caption", "p99 1.5 s").awaitText("#n-p99", "1.5 s");
    browser.awaitText("#n-dead", "3").awaitText("#dead-reason", "B");
    assertThat(browser.script("return document.getElementById('plot-lateness').ariaLabel"))
        .isEqualTo("p50 7 ms, p99 1.5 s, worst of the hour 2.5 s");
  }

  @Test
  void everything_is_reached_by_keyboard() {
    api.answer("GET messages/m1", message("m1"));
    browser.open(api.uri()).awaitText("#headline", "Healthy");
    browser.tabTo("#search-ref").keys("m1", Keys.ENTER).awaitText("#details-title", "m1");
    assertThat(browser.accessibilityFaults()).isEmpty();
    browser.keys(Keys.ESCAPE).awaitGone("#details");
    browser.tabTo("#schedule-open").keys(Keys.ENTER).seen("#schedule");
    browser.keys(Keys.ESCAPE).awaitGone("#schedule");
    browser.tabTo("#shards tbody button");
  }

  @Test
  void before_the_first_point_the_plots_say_when_it_comes() {
    browser.open(api.uri()).awaitText("#throughput-caption", "after 10 seconds");
    browser.awaitText("#lateness-caption", "after 10 seconds");
  }

  @Test
  void a_dead_letter_whose_content_is_gone_is_shown_without_it() {
    api.answer("GET deadletters", "{'deadLetters': [" + letter("NEW") + "], 'cursor': null}");
    api.answer("GET deadletters/in/0/5", letter("NEW"));
    api.answer("GET deadletters/in/0/5?value=true", 410, "{'detail': 'the content was deleted'}");
    browser.open(api.uri()).click("#dead .link").awaitText("#details-title", "EXPIRED");
    browser.awaitText("#details-body", "the content was deleted");
    assertThat(browser.isSeen("#details pre")).isFalse();
  }

  @Test
  void what_was_done_about_a_dead_letter_is_told_and_not_offered_again() {
    api.answer("GET deadletters", "{'deadLetters': [" + letter("REPLAYED") + "], 'cursor': null}");
    api.answer("GET deadletters/in/0/5", letter("REPLAYED"));
    browser.open(api.uri()).click("#dead .link").awaitText("#details-title", "EXPIRED");
    browser.awaitText("#details-body", "by ada").awaitText("#details-body", "in/0/7");
    assertThat(browser.isSeen("#dead tbody button.small")).isFalse();
    assertThat(browser.isSeen("#details-body button")).isFalse();
  }

  @Test
  void a_replay_of_many_says_what_it_leaves_out_and_how_it_ended() {
    api.answer(
        "POST deadletters/replay",
        "{'job': 'j', 'matches': 4, 'malformed': 2, 'looping': 1, 'foreign': 0}");
    api.answer(
        "GET replays/j",
        "{'job': 'j', 'state': 'STOPPED', 'total': 4, 'done': 1, 'failed': 1, 'skipped': 1,"
            + " 'perSecond': 100, 'at': 1, 'instance': 'a', 'problem': 'in/0/5 is gone'}");
    browser
        .open(api.uri())
        .click("#dead-replay-all")
        .awaitText("#confirm", "Replay 4 dead letters");
    browser.awaitText(
        "#confirm", "2 with headers that must be changed first, 1 replayed too often");
    browser.click("#confirm-yes").awaitText("#dead-job", "Replay stopped: 1 of 4");
    browser.awaitText("#dead-job", "1 were").awaitText("#dead-job", "1 failed: in/0/5 is gone");
  }

  private static String letter(String state) {
    boolean marked = !state.equals("NEW");
    return """
        {'source': 'in/0/5', 'target': 't', 'id': null, 'reason': 'EXPIRED', 'detail': 'too late',
         'at': 1, 'attempt': 1, 'replays': 0, 'state': '%s', 'bytes': 9, 'position': 'dead/0/1',
         'markedAt': %s, 'markedBy': %s, 'replayedAs': %s}"""
        .formatted(
            state, marked ? "2" : "null", marked ? "'ada'" : "null", marked ? "'in/0/7'" : "null");
  }

  private static String shards(int count, String other) {
    return IntStream.range(0, count)
        .mapToObj(partition -> FakeApi.shard(partition, other))
        .collect(Collectors.joining(","));
  }

  private static String message(String id) {
    return """
        {'source': 'in/0/5', 'offset': 5, 'id': '%1$s', 'intake': 'in', 'target': 't',
         'due': %2$d, 'state': 'PENDING', 'attempt': 1, 'maxAttempts': null, 'expiresAt': null,
         'bytes': 9, 'value': {'key': null, 'keyBase64': null, 'value': '%1$s', 'valueBase64': null,
         'headers': [{'name': 'h', 'value': '%1$s'}, {'name': 'h', 'value': 'again'},
           {'name': 'bytes', 'valueBase64': 'AP8='}, {'name': 'nothing', 'value': null},
           {'name': 'empty', 'value': ''}]}}"""
        .formatted(id, System.currentTimeMillis() + 60_000);
  }
}
