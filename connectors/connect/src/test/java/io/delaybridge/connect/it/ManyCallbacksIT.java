package io.delaybridge.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.connect.it.Receiver.Answer;
import io.delaybridge.connect.it.Receiver.Call;
import io.delaybridge.stack.ConnectWorker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Sends twenty thousand messages through the intake to a sink. The receiver rejects one in ten at
 * first, and the worker is killed in the middle.
 */
class ManyCallbacksIT {

  private static final int COUNT = 20_000;
  private static final int FAILING = 10;
  private static final int KILLED_AT = COUNT * 2 / 5;

  private static final int BACKOFF_MS = 1_000;
  private static final int ASKED_S = 3;

  /** From the answer of the receiver to the retry's timestamp, on a busy machine. */
  private static final long SLACK_MS = 30_000;

  /** For twenty thousand calls; an idle machine needs half a minute. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private final AtomicIntegerArray accepted = new AtomicIntegerArray(COUNT);
  private final AtomicInteger distinct = new AtomicInteger();
  private final Map<Integer, List<Long>> failures = new ConcurrentHashMap<>();
  private final Map<Integer, Call> retried = new ConcurrentHashMap<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final Map<Long, AtomicInteger> perSecond = new ConcurrentHashMap<>();

  private Answer answer(Call call) {
    int number = Integer.parseInt(call.text());
    int attempt = Integer.parseInt(call.header("delay-callback-attempt"));
    if (!call.protocol().equals("HTTP/2.0")) {
      wrong.add(call.protocol());
    }
    if (number % FAILING == 0 && attempt == 1) {
      failures.computeIfAbsent(number, n -> new CopyOnWriteArrayList<>()).add(call.at());
      return failure(number, call.at());
    }
    if (attempt > 1) {
      retried.put(number, call);
    }
    perSecond.computeIfAbsent(call.at() / 1_000, s -> new AtomicInteger()).incrementAndGet();
    if (accepted.getAndIncrement(number) == 0) {
      distinct.incrementAndGet();
    }
    return Answer.of(number % 2 == 0 ? 200 : 204);
  }

  /**
   * Alternates between no wish, one in seconds and one as a date, with an occasional answer that is
   * cut off. The latter must be rare: a client treats many in a second as an attack
   * (CVE-2023-44487) and closes the connection, with all its requests.
   */
  private static Answer failure(int number, long now) {
    if (isCutOff(number)) {
      return Answer.of(Answer.CUT_OFF);
    }
    return switch (number / FAILING % 3) {
      case 0 -> Answer.of(500);
      case 1 -> new Answer(503, Map.of("Retry-After", Integer.toString(ASKED_S)));
      default -> new Answer(429, Map.of("Retry-After", date(now + (ASKED_S + 1) * 1_000L)));
    };
  }

  private static boolean isCutOff(int number) {
    return number / FAILING % 50 == 7;
  }

  private static String date(long millis) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(
        Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
  }

  private static boolean isAsked(int number) {
    return !isCutOff(number) && number / FAILING % 3 != 0;
  }

  @Test
  void eachIsAcceptedThoughOneInTenFailsAndTheWorkerIsKilled() throws Exception {
    try (World world = World.start();
        Receiver receiver = new Receiver(this::answer);
        ConnectWorker worker = worker(world, receiver)) {
      worker.start();
      long start = System.nanoTime();
      for (int i = 0; i < COUNT; i++) {
        world.send(
            "delay-intake",
            "key-" + i % 5_000,
            Integer.toString(i),
            "delay-target-topic",
            "reminders",
            "delay-ms",
            Integer.toString(i % 2_000),
            i % 3 == 0 ? "delay-callback-url" : "other",
            receiver.url("/own"));
      }
      world.producer.flush();

      await().atMost(LONG).until(() -> distinct.get() >= KILLED_AT);
      worker.kill();
      int before = distinct.get();
      worker.start();
      await().atMost(LONG).until(() -> distinct.get() == COUNT);

      report(before, System.nanoTime() - start, receiver.connections.size());
      assertThat(wrong).isEmpty();
      assertThat(retried.keySet()).containsAll(failing());
      assertThat(notOnTime()).isEmpty();
      assertThat(world.read("delay-deadletter")).isEmpty();
    }
  }

  private ConnectWorker worker(World world, Receiver receiver) {
    world.createTopic("reminders", 4);
    return world
        .worker("worker")
        .jvm("-Xmx512m")
        .connector(
            "callback-sink",
            world.sink(
                Map.of(
                    "topics", "reminders",
                    "tasks.max", "2",
                    "callback.url", receiver.url("/"),
                    "callback.allowed.hosts", "127.0.0.1",
                    "callback.allowed.addresses", "127.0.0.1",
                    "callback.allowed.schemes", "http",
                    "callback.allowed.ports", Integer.toString(receiver.port()),
                    "callback.http.version", "2",
                    "callback.timeout.ms", Long.toString(LONG.toMillis()),
                    "callback.retry.backoff.ms", Integer.toString(BACKOFF_MS))));
  }

  private static List<Integer> failing() {
    return IntStream.range(0, COUNT).filter(number -> number % FAILING == 0).boxed().toList();
  }

  /**
   * Returns the retries whose due time is not a pause after one of the failures of the first
   * attempt. A first attempt whose connection broke before its answer has none.
   */
  private List<String> notOnTime() {
    List<String> odd = new ArrayList<>();
    failures.forEach(
        (number, failed) -> {
          Call call = Objects.requireNonNull(retried.get(number));
          long least = isAsked(number) ? ASKED_S * 1_000L : BACKOFF_MS * 4 / 5;
          long most = (isAsked(number) ? (ASKED_S + 1) * 1_000L : BACKOFF_MS * 6 / 5) + SLACK_MS;
          long due = Long.parseLong(call.header("delay-due-at"));
          boolean right =
              failed.stream()
                  .mapToLong(at -> due - at)
                  .anyMatch(pause -> pause >= least && pause <= most);
          if (!right || call.at() < due) {
            odd.add("%d: due %d, failed %s".formatted(number, due, failed));
          }
        });
    return odd;
  }

  private void report(int before, long nanos, int connections) {
    int calls = 0;
    for (int i = 0; i < COUNT; i++) {
      calls += accepted.get(i);
    }
    System.out.printf(
        "%d messages in %.1f s, killed after %d; %d accepted calls, busiest second %d;"
            + " %d connections%n",
        COUNT,
        nanos / 1e9,
        before,
        calls,
        perSecond.values().stream().mapToInt(AtomicInteger::get).max().orElse(0),
        connections);
  }
}
