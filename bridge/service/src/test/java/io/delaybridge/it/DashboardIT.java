package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.admin.access.Token;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.Keys;

/** The dashboard in a real browser, on a real bridge, with tokens. */
@EnabledIf(value = "io.delaybridge.it.Browser#isThere", disabledReason = Browser.NONE)
final class DashboardIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String OPERATOR = Token.generate();
  private static final String VIEWER = Token.generate();

  private static World world;
  private static Scenario scenario;
  private static BridgeProcess bridge;
  private static Inbox inbox;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    world = World.shared();
    Path tokens = world.dir.resolve("tokens");
    Files.write(
        tokens,
        List.of(
            "ops sha256:" + Token.hashOf(OPERATOR) + " operate *",
            "eve sha256:" + Token.hashOf(VIEWER) + " read *"));
    scenario = world.scenario().withTarget().partitions(4).api("tokens", "'" + tokens + "'");
    bridge = scenario.bridge();
    inbox = scenario.inbox(scenario.target);
    browser = new Browser();
  }

  @AfterAll
  static void stop() {
    browser.close();
    scenario.close();
  }

  /** Neither an error of a script nor one of the content security policy. */
  @AfterEach
  void noComplaints() {
    assertThat(browser.errors()).isEmpty();
  }

  private static Browser logIn(String token) {
    return browser
        .size(1280, 900)
        .open(bridge.httpUri() + "/")
        .fill("#login-token", token)
        .keys(Keys.ENTER)
        .awaitText("#headline", "Healthy");
  }

  private static void send(String id, String target, String delayMillis, String... more) {
    String[] headers = {
      DelayHeaders.ID, id, DelayHeaders.TARGET_TOPIC, target, DelayHeaders.DELAY_MS, delayMillis
    };
    String[] all = Arrays.copyOf(headers, headers.length + more.length);
    System.arraycopy(more, 0, all, headers.length, more.length);
    scenario.send(id, "the value of " + id, all);
  }

  private static long number(String css) {
    return Long.parseLong(browser.text(css).replace(",", ""));
  }

  private static void awaitArrival(String id) {
    await()
        .alias("arrival of " + id)
        .atMost(SOON)
        .until(() -> inbox.all().stream().anyMatch(one -> id.equals(one.header(DelayHeaders.ID))));
  }

  @Test
  void a_message_is_scheduled_seen_to_wait_and_seen_to_arrive() {
    logIn(OPERATOR).click("#schedule-open");
    browser.fill("#schedule [name=target]", scenario.target).fill("#schedule [name=when]", "4s");
    browser.fill("#schedule [name=id]", "by-hand").fill("#schedule [name=value]", "hello");
    browser.click("#schedule .primary").awaitText("#toast", "Scheduled as " + scenario.intake);
    browser.awaitText("#upcoming", "by-hand");
    awaitArrival("by-hand");
    browser.awaitNoText("#upcoming", "by-hand").comeBack().awaitText("#targets", scenario.target);
  }

  @Test
  void a_message_is_found_moved_and_cancelled() {
    send("to-cancel", scenario.target, "600000");
    logIn(OPERATOR).awaitText("#upcoming", "to-cancel");
    browser.fill("#search-ref", "to-cancel").keys(Keys.ENTER);
    browser.awaitText("#details pre", "the value of to-cancel");
    browser.fill("#details form input", "20m").click("#details form button:not(.danger)");
    browser.awaitText("#details-title", "Rescheduled").awaitText("#details-body", "in 20 min");
    browser.click("#details-close").awaitText("#upcoming", "in 20 min");
    browser.click("#upcoming tr:last-child button").awaitText("#details-title", "to-cancel");
    browser
        .click("#details .danger")
        .click("#confirm-yes")
        .awaitText("#details-title", "Cancelled");
    browser.click("#details-close").awaitNoText("#upcoming", "to-cancel");
    browser.click("#search button").awaitText("#details-title", "Nothing is pending");
    assertThat(inbox.all()).noneMatch(one -> "to-cancel".equals(one.header(DelayHeaders.ID)));
  }

  @Test
  void a_dead_letter_is_looked_into_and_replayed_once_its_target_is_there() {
    String target = scenario.target + "-late";
    send("lost", target, "1", DelayHeaders.MAX_ATTEMPTS, "1");
    String row = "#dead tr:has([aria-label='Replay lost'])";
    logIn(OPERATOR).awaitText(row, "UNKNOWN_TARGET");
    browser.click(row + " .link").awaitText("#details pre", "the value of lost");
    browser.awaitText("#details-body", DelayHeaders.DEAD_REASON).picture("dashboard-dead-letter");
    browser.click("#details-close");

    world.createTopic(target, 1, Map.of());
    try (Inbox late = new Inbox(world.stack.bootstrapServers(), List.of(target))) {
      // Tried again and again: once it is there, the bridge knows the topic.
      send("scout", target, "1");
      late.awaitCount(1, SOON);
      browser.click(row + " button.small").awaitText("#toast", "Replayed as " + scenario.intake);
      late.awaitCount(2, SOON);
    }
    browser.awaitGone("[aria-label='Replay lost']");
    browser.awaitText("#dead tr:has([aria-label='Replay lost'])", "replayed");
  }

  @Test
  void a_dead_letter_whose_headers_are_at_fault_is_replayed_with_other_ones() {
    send("at-fault", scenario.target, "whenever");
    String replay = "[aria-label='Replay at-fault']";
    logIn(OPERATOR).click(replay).awaitText("#details-error", "give corrected headers");
    assertThat(browser.accessibilityFaults()).isEmpty();
    browser.fill("#details textarea", DelayHeaders.DELAY_MS + "=soon").click("#details .primary");
    browser.awaitText("#details-error", "'soon'");
    browser.fill("#details textarea", DelayHeaders.DELAY_MS + "=1").click("#details .primary");
    browser.awaitText("#toast", "Replayed as " + scenario.intake).awaitGone("#details");
    awaitArrival("at-fault");
    browser.awaitGone(replay);
  }

  @Test
  void the_dead_letters_of_a_reason_are_replayed_together_and_one_is_marked_as_handled() {
    for (String id : List.of("forbidden-1", "forbidden-2", "forbidden-3")) {
      send(id, scenario.intake, "1");
    }
    logIn(OPERATOR).awaitText("#dead-reason", "CONTROL_TOPIC");
    browser.seen("#dead-reason").sendKeys("CONTROL_TOPIC");
    String first = "#dead tr:has([aria-label='Replay forbidden-1'])";
    browser.click(first + " .link").click("#details .buttons button:not(.primary)");
    browser.awaitText(first + " .state", "handled").awaitText("#dead", "forbidden-3");
    browser.click("#dead-replay-all").awaitText("#confirm-title", "Replay 2 dead letters?");
    browser.click("#confirm-yes").awaitText("#dead-job", "Replay done: 2 of 2");
    browser.awaitText("#dead .state", "replayed");
  }

  @Test
  void delivery_is_paused_and_goes_on() {
    logIn(OPERATOR).click("#pause-all").click("#confirm-yes");
    browser.awaitText("#headline", "Delivery is paused");
    send("held", scenario.target, "1");
    await().atMost(SOON).until(() -> number("#n-overdue") > 0);
    assertThat(inbox.all()).noneMatch(one -> "held".equals(one.header(DelayHeaders.ID)));
    browser.awaitText("#pause-all", "Resume").click("#pause-all").click("#confirm-yes");
    browser.awaitText("#headline", "Healthy");
    awaitArrival("held");
  }

  @Test
  void a_wrong_token_is_refused_and_a_viewer_only_looks() {
    browser.open(bridge.httpUri() + "/").fill("#login-token", Token.generate()).keys(Keys.ENTER);
    browser.awaitText("#login-error", "This token is not accepted.");
    assertThat(browser.isSeen("#shards tbody tr")).isFalse();
    logIn(VIEWER).awaitText("#shards tbody", scenario.intake + "/0");
    assertThat(browser.isSeen("[data-role]")).isFalse();
    browser.click("#logout").seen("#login");
    assertThat(browser.script("return sessionStorage.length")).isEqualTo(0L);
  }

  @Test
  void it_fits_a_phone_and_is_reached_by_keyboard() {
    logIn(OPERATOR).size(390, 844).awaitText("#shards tbody", scenario.intake);
    assertThat(browser.overflow()).isLessThanOrEqualTo(0);
    assertThat(browser.accessibilityFaults()).isEmpty();
    browser.tabTo("#search-ref").keys("nobody", Keys.ENTER).awaitText("#details-title", "Nothing");
    browser.keys(Keys.ESCAPE).awaitGone("#details");
  }

  @Test
  void it_is_served_beside_the_api_and_asked_for_anew_after_an_update() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.body()).contains("<title>Delay bridge</title>");
    assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'");
    String etag = page.headers().firstValue("ETag").orElseThrow();
    assertThat(get("/", "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(get("/dashboard/vendor/LICENSE.md").body()).contains("MIT");
    assertThat(get("/dashboard/no-such-file.js").statusCode()).isEqualTo(404);
    assertThat(get("/dashboard/").statusCode()).isEqualTo(404);
    assertThat(get("/dashboard/../config.yml").statusCode()).isIn(400, 404);
    assertThat(get("/v1/shards").statusCode()).isEqualTo(401);
  }

  private static HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(bridge.httpUri() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void numbers_and_plots_follow_what_happens() {
    world.createTopic("orders.reminders", 1, Map.of());
    logIn(OPERATOR).size(1280, 1000);
    for (int i = 0; i < 600; i++) {
      // More in the next minutes than later, as it is with reminders.
      send("order-" + i, "orders.reminders", Integer.toString(60_000 + i * i * 9));
    }
    for (int i = 0; i < 600; i++) {
      // More than a day ahead is far: there is a plot of the next days, too.
      long millis = Duration.ofDays(2 + i * i / 6_250).toMillis();
      send("contract-" + i, "orders.reminders", Long.toString(millis));
    }
    // For a picture, long enough that there is something to see.
    Instant end = Instant.now().plusSeconds(Browser.takesPictures() ? 120 : 1);
    int sent = 0;
    do {
      send("now-" + sent++, scenario.target, "5");
    } while (Instant.now().isBefore(end));
    browser.awaitText("#forecast-caption", "in this hour");
    browser.awaitText("#targets", scenario.target).awaitText("#lateness-caption", " ms");
    await().atMost(SOON).until(() -> number("#n-pending") > 300);
    browser.picture("dashboard");
    browser.colors("dark").awaitDrawn().picture("dashboard-dark");
    browser.size(390, 844).awaitDrawn().picture("dashboard-phone");
    browser.colors("light");
  }
}
