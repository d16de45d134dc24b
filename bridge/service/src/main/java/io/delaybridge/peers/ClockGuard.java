package io.delaybridge.peers;

import io.delaybridge.store.PeerBoard;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The wall clock of this machine, compared with three others. What most of them say counts; of two,
 * what both say. Between two comparisons the others are taken to go like the monotonic clock. So
 * the time that is told here is never later than theirs by more than a bound, even in the turn in
 * which the clock of the machine jumps. See ADR 38.
 *
 * <p>Safe for use by many threads.
 */
public final class ClockGuard implements InstantSource {

  private static final Logger LOG = LoggerFactory.getLogger(ClockGuard.class);
  private static final long EVERY = Duration.ofSeconds(5).toNanos();

  /** An answer that took longer says too little about the time. */
  private static final long LONGEST_ROUND_TRIP = Duration.ofMillis(500).toNanos();

  /** A clock that was read longer ago than this is not compared with. */
  private static final long OLDEST = Duration.ofMinutes(1).toNanos();

  /** A clock to compare with. */
  public enum Reference {
    /** The clock of Redis. */
    REDIS("Redis"),
    /** The clock of the controller of Kafka. */
    KAFKA("Kafka"),
    /** The median of the clocks of the other bridges. */
    BRIDGES("the other bridges");

    private final String text;

    Reference(String text) {
      this.text = text;
    }
  }

  /** The result of a comparison. */
  public enum State {
    /** It differs from most others by no more than the bound, or none is known. */
    FINE,
    /** It is ahead of most others: nothing is delivered. */
    AHEAD,
    /** It is behind most others: what is delivered is late. */
    BEHIND
  }

  /**
   * The differences as they are now.
   *
   * @param ahead by how many milliseconds this clock is ahead of each other one, negative if behind
   */
  public record Status(State state, Map<Reference, Long> ahead) {

    /** For operators. */
    @Override
    public String toString() {
      if (ahead.isEmpty()) {
        return "no other clock is known";
      }
      String differences =
          ahead.entrySet().stream()
              .map(each -> "%.1f s than %s".formatted(each.getValue() / 1000.0, each.getKey().text))
              .collect(Collectors.joining(", "));
      return switch (state) {
            case AHEAD -> "nothing is delivered, because the clock of this machine is later by ";
            case BEHIND -> "messages are late, because the clock of this machine is later by ";
            case FINE -> "the clock of this machine is later by ";
          }
          + differences;
    }
  }

  /**
   * The time of another clock.
   *
   * @param millis epoch milliseconds
   * @param at when it was read, by the monotonic clock
   */
  private record Reading(long millis, long at) {

    long millisAt(long nanos) {
      return millis + (nanos - at) / 1_000_000;
    }
  }

  private final long bound;
  private final InstantSource wall;
  private final LongSupplier nanos;
  private final PeerBoard board;
  private final Supplier<CompletionStage<OptionalLong>> kafka;
  private final Map<Reference, Reading> readings = new EnumMap<>(Reference.class);
  private volatile @Nullable Reading agreed;
  private long lookedAt;
  private State told = State.FINE;

  /**
   * @param bound by how much the clock may be ahead
   * @param nanos monotonic clock, nanoseconds from an arbitrary origin
   * @param kafka asks Kafka for its time in epoch milliseconds, empty if it does not tell; does not
   *     wait
   */
  public ClockGuard(
      Duration bound,
      InstantSource wall,
      LongSupplier nanos,
      PeerBoard board,
      Supplier<CompletionStage<OptionalLong>> kafka) {
    this.bound = bound.toMillis();
    this.wall = wall;
    this.nanos = nanos;
    this.board = board;
    this.kafka = kafka;
    this.lookedAt = nanos.getAsLong() - EVERY;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  /** The time of this machine, or that of the others and the bound if that is earlier. */
  @Override
  public long millis() {
    return Math.min(machine(), latest());
  }

  /** Whether the clock of this machine is ahead by more than the bound: nothing may go out. */
  public boolean isAhead() {
    return machine() > latest();
  }

  /** The time of this machine, epoch milliseconds. The fault runs shift it. */
  private long machine() {
    return wall.millis();
  }

  private long latest() {
    Reading others = agreed;
    return others == null ? Long.MAX_VALUE : others.millisAt(nanos.getAsLong()) + bound;
  }

  /**
   * Compares the clocks, if that was not done just now. To be called once before anything is
   * delivered, and then every second or so.
   *
   * @param peers by how many milliseconds the clocks of the other bridges are ahead of that of
   *     Redis
   */
  public void look(List<Long> peers) {
    long now = nanos.getAsLong();
    if (now - lookedAt < EVERY) {
      return;
    }
    lookedAt = now;
    try {
      board.time().ifPresent(time -> read(Reference.REDIS, time, now));
    } catch (StoreException e) {
      LOG.debug("Redis does not tell its time", e);
    }
    readPeers(peers);
    long askedAt = nanos.getAsLong();
    var unused =
        kafka
            .get()
            .thenAccept(time -> time.ifPresent(millis -> read(Reference.KAFKA, millis, askedAt)));
    agree();
  }

  private synchronized void read(Reference reference, long millis, long askedAt) {
    long now = nanos.getAsLong();
    if (now - askedAt <= LONGEST_ROUND_TRIP) {
      readings.put(reference, new Reading(millis, askedAt + (now - askedAt) / 2));
      agree();
    }
  }

  private synchronized void readPeers(List<Long> peers) {
    Reading redis = readings.get(Reference.REDIS);
    if (redis != null && !peers.isEmpty()) {
      long median = peers.stream().sorted().toList().get(peers.size() / 2);
      readings.put(Reference.BRIDGES, new Reading(redis.millis + median, redis.at));
    }
  }

  /** Decides what most of the others say: of two the later one, of three the one between. */
  private synchronized void agree() {
    long now = nanos.getAsLong();
    readings.values().removeIf(each -> now - each.at > OLDEST);
    List<Reading> latestFirst = latestFirst(now);
    if (!latestFirst.isEmpty()) {
      agreed = latestFirst.get((latestFirst.size() - 1) / 2);
    }
    Status status = status();
    if (status.state() != told) {
      told = status.state();
      LOG.atLevel(told == State.FINE ? Level.INFO : Level.ERROR).log("Clock: {}", status);
    }
  }

  private List<Reading> latestFirst(long now) {
    return readings.values().stream()
        .sorted(Comparator.comparingLong((Reading each) -> each.millisAt(now)).reversed())
        .toList();
  }

  /** The state of the clock, by the last comparison. */
  public synchronized Status status() {
    long now = nanos.getAsLong();
    long ours = machine();
    Map<Reference, Long> ahead = new EnumMap<>(Reference.class);
    readings.forEach((reference, each) -> ahead.put(reference, ours - each.millisAt(now)));
    List<Reading> latestFirst = latestFirst(now);
    boolean behind =
        !latestFirst.isEmpty()
            && latestFirst.get(latestFirst.size() / 2).millisAt(now) - ours > bound;
    return new Status(isAhead() ? State.AHEAD : behind ? State.BEHIND : State.FINE, ahead);
  }

  /** By how many milliseconds this clock is ahead of that of Redis; null if that is not known. */
  public @Nullable Long aheadOfRedis() {
    return status().ahead().get(Reference.REDIS);
  }
}
