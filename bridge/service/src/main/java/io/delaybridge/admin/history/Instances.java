package io.delaybridge.admin.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.admin.Ticker;
import io.delaybridge.store.NoticeBoard;
import io.delaybridge.store.StoreException;
import io.dropwizard.lifecycle.Managed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares what every instance has counted. Each instance puts its own tally on the board of the
 * store every few seconds, and reads the others there when somebody asks. So any instance answers
 * for all.
 */
public final class Instances implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(Instances.class);
  private static final Duration EVERY = Duration.ofSeconds(2);
  static final long GONE_AFTER_MILLIS = 15_000;

  /**
   * The report of one instance about itself.
   *
   * @param id as in the names of its loops
   * @param startedAt epoch milliseconds
   * @param at epoch milliseconds of this report
   * @param tally by intake
   */
  public record Report(
      String id, String host, long startedAt, long at, Map<String, Tally.Snapshot> tally) {}

  private final Tally tally;
  private final NoticeBoard board;
  private final ObjectMapper json;
  private final InstantSource clock;
  private final String id;
  private final String host;
  private final long startedAt;
  private final Ticker ticker;

  /** Takes who this is and what it has counted. */
  public Instances(
      String id,
      String host,
      Tally tally,
      NoticeBoard board,
      ObjectMapper json,
      InstantSource clock) {
    this.id = id;
    this.host = host;
    this.tally = tally;
    this.board = board;
    this.json = json;
    this.clock = clock;
    this.startedAt = clock.millis();
    this.ticker = new Ticker("delay-instances", EVERY, this::publish);
  }

  @Override
  public void start() {
    ticker.start();
  }

  @Override
  public void stop() {
    ticker.stop();
  }

  private void publish() {
    try {
      board.put(id, json.writeValueAsString(own()), clock.millis() - GONE_AFTER_MILLIS);
    } catch (StoreException e) {
      LOG.debug("The report of this instance was not published: {}", e.getMessage());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report is always JSON", e);
    }
  }

  private Report own() {
    return new Report(id, host, startedAt, clock.millis(), tally.snapshot());
  }

  /** This instance, as it is now, and the others, as they were a few seconds ago. */
  public List<Report> reports() {
    List<Report> reports = new ArrayList<>(List.of(own()));
    try {
      board.all().forEach(text -> other(text).ifPresent(reports::add));
    } catch (StoreException e) {
      LOG.debug("The other instances are not known: {}", e.getMessage());
    }
    reports.sort(Comparator.comparing(Report::id));
    return reports;
  }

  private Optional<Report> other(String text) {
    try {
      Report report = json.readValue(text, Report.class);
      boolean alive = clock.millis() - report.at() < GONE_AFTER_MILLIS;
      return report.id().equals(id) || !alive ? Optional.empty() : Optional.of(report);
    } catch (JsonProcessingException e) {
      LOG.debug("The report of another release cannot be read: {}", e.getOriginalMessage());
      return Optional.empty();
    }
  }
}
