package io.delaybridge.admin.access;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts every call that was refused, and logs some: a scanner must not be able to fill a disk.
 * Never logs a token. Safe for use by all threads.
 */
public final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** Log lines in each {@link #WINDOW}; the rest is only counted. */
  static final int LINES = 20;

  static final Duration WINDOW = Duration.ofMinutes(1);

  private static final int LONGEST = 200;

  private final Counter counter;
  private final LongSupplier nanos;
  private long windowStart;
  private int lines;
  private long unlogged;

  /** Registers the counter. The clock is a monotonic one. */
  public Refusals(PrometheusRegistry registry, LongSupplier nanos) {
    this.nanos = nanos;
    this.windowStart = nanos.getAsLong();
    counter =
        Counter.builder()
            .name("delay_api_refused")
            .help("Calls of the API that were refused.")
            .labelNames("reason")
            .register(registry);
    for (Refusal refusal : Refusal.values()) {
      counter.initLabelValues(refusal.label());
    }
  }

  /**
   * A call, as the log shows it.
   *
   * @param remote address of the peer
   * @param path without the query
   * @param name of the token, or null if there is none
   */
  record Call(String remote, String method, String path, @Nullable String name) {

    @Override
    public String toString() {
      return "%s %s from %s%s"
          .formatted(
              shown(method), shown(path), remote, name == null ? "" : " with the token of " + name);
    }

    /** Replaces characters that a terminal could act on. */
    private static String shown(String text) {
      String plain = text.replaceAll("[^!-~]", "?");
      return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
    }
  }

  /** Counts a refusal, and logs it if there is room. */
  void add(Refusal refusal, Call call) {
    counter.labelValues(refusal.label()).inc();
    long skipped = room();
    if (skipped > 0) {
      LOG.warn("{} more refused calls were not logged", skipped);
    }
    if (skipped >= 0) {
      LOG.warn("Refused ({}): {}", refusal.label(), call);
    }
  }

  /** How many were not logged since the last line, or -1 if this one is not to be logged either. */
  private synchronized long room() {
    long now = nanos.getAsLong();
    if (now - windowStart >= WINDOW.toNanos()) {
      windowStart = now;
      lines = 0;
    }
    if (lines == LINES) {
      unlogged++;
      return -1;
    }
    lines++;
    long skipped = unlogged;
    unlogged = 0;
    return skipped;
  }
}
