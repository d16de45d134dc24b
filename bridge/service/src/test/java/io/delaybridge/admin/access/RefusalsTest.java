package io.delaybridge.admin.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RefusalsTest {

  private static final Refusals.Call CALL =
      new Refusals.Call("10.0.0.1", "GET", "/v1/shards", "ops");

  private final Logger logger = (Logger) LoggerFactory.getLogger(Refusals.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final Refusals refusals = new Refusals(registry, nanos::get);

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private List<String> lines() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void aRefusalIsLoggedWithWhoDidWhat() {
    refusals.add(Refusal.ROLE, CALL);

    assertThat(lines())
        .containsExactly("Refused (role): GET /v1/shards from 10.0.0.1 with the token of ops");
  }

  @Test
  void aScannerIsCountedInFullAndLoggedInPart() {
    for (int i = 0; i < 1000; i++) {
      refusals.add(Refusal.NO_TOKEN, CALL);
    }

    assertThat(lines()).hasSize(Refusals.LINES);
    assertThat(
            registry
                .scrape()
                .get(0)
                .getDataPoints()
                .toArray(CounterSnapshot.CounterDataPointSnapshot[]::new))
        .filteredOn(point -> "no_token".equals(point.getLabels().get("reason")))
        .extracting(CounterSnapshot.CounterDataPointSnapshot::getValue)
        .containsExactly(1000.0);
  }

  @Test
  void whatWasNotLoggedIsToldLater() {
    for (int i = 0; i < Refusals.LINES + 7; i++) {
      refusals.add(Refusal.NO_TOKEN, CALL);
    }
    nanos.addAndGet(Refusals.WINDOW.toNanos());

    refusals.add(Refusal.NO_TOKEN, CALL);

    assertThat(lines())
        .hasSize(Refusals.LINES + 2)
        .contains("7 more refused calls were not logged");
  }

  @Test
  void everyReasonIsThereFromTheStart() {
    assertThat(registry.scrape().get(0).getDataPoints())
        .extracting(point -> point.getLabels().get("reason"))
        .contains("no_token", "wrong_token", "role", "scope", "too_large", "rate");
  }

  @Test
  void aPathCanNotForgeALineOrFillOne() {
    String path = "/v1/\n\u001b[31m" + "x".repeat(1000);

    refusals.add(Refusal.NO_TOKEN, new Refusals.Call("10.0.0.1", "GET", path, null));

    assertThat(lines().get(0))
        .startsWith("Refused (no_token): GET /v1/??[31mxxx")
        .endsWith("... from 10.0.0.1")
        .hasSizeLessThan(300);
  }
}
