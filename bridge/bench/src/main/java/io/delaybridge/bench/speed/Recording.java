package io.delaybridge.bench.speed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** The tables of a flight recording: the code on the processor, and the code that allocated. */
final class Recording {

  private static final int ROWS = 25;
  private static final String OURS = "io.delaybridge.";

  private final Map<String, Double> leaves = new HashMap<>();
  private final Map<String, Double> places = new HashMap<>();
  private final Map<String, Double> threads = new HashMap<>();
  private final Map<String, Double> allocatedTypes = new HashMap<>();
  private final Map<String, Double> allocatedPlaces = new HashMap<>();
  private double gcMillis;

  Recording(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        add(recording.readEvent());
      }
    }
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample" -> sample(event);
      case "jdk.ObjectAllocationSample" -> allocation(event);
      case "jdk.GarbageCollection" -> gcMillis += event.getDuration("sumOfPauses").toNanos() / 1e6;
      default -> {
        // Other events are not reported.
      }
    }
  }

  private void sample(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    if (stack == null || stack.getFrames().isEmpty()) {
      return;
    }
    leaves.merge(name(stack.getFrames().get(0)), 1.0, Double::sum);
    places.merge(place(stack), 1.0, Double::sum);
    RecordedThread thread = event.getThread("sampledThread");
    threads.merge(thread == null ? "?" : plain(thread.getJavaName()), 1.0, Double::sum);
  }

  private void allocation(RecordedEvent event) {
    double bytes = (double) event.getLong("weight");
    allocatedTypes.merge(event.getClass("objectClass").getName(), bytes, Double::sum);
    RecordedStackTrace stack = event.getStackTrace();
    if (stack != null && !stack.getFrames().isEmpty()) {
      allocatedPlaces.merge(place(stack), bytes, Double::sum);
    }
  }

  /** Returns a name that is the same for all threads of one kind. */
  private static String plain(@Nullable String thread) {
    return String.valueOf(thread)
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4,12})*", "*")
        .replaceAll("\\d+", "N");
  }

  /** Returns the innermost method of this project, or the body of the thread if there is none. */
  private static String place(RecordedStackTrace stack) {
    Optional<RecordedFrame> ours =
        stack.getFrames().stream()
            .filter(frame -> frame.getMethod().getType().getName().startsWith(OURS))
            .findFirst();
    return name(ours.orElseGet(() -> threadBody(stack.getFrames())));
  }

  private static RecordedFrame threadBody(List<RecordedFrame> frames) {
    return frames.stream()
        .filter(frame -> frame.getMethod().getName().equals("run"))
        .filter(frame -> !frame.getMethod().getType().getName().startsWith("java."))
        .findFirst()
        .orElse(frames.get(frames.size() - 1));
  }

  private static String name(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    return method.getType().getName() + "." + method.getName();
  }

  /** Returns the tables in Markdown. */
  String summary() {
    return table("Samples by method on top of the stack", leaves)
        + table("Samples by innermost method of the bridge (or the thread's body)", places)
        + table("Samples by thread", threads)
        + table("Allocated bytes by innermost method of the bridge", allocatedPlaces)
        + table("Allocated bytes by type", allocatedTypes)
        + String.format(Locale.ROOT, "Pauses for garbage collection: %.0f ms in all.%n", gcMillis);
  }

  private static String table(String title, Map<String, Double> counts) {
    double all = counts.values().stream().mapToDouble(Double::doubleValue).sum();
    StringBuilder table = new StringBuilder("## " + title + "\n\n| share | what |\n|--:|---|\n");
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(ROWS)
        .forEach(
            entry ->
                table.append(
                    String.format(
                        Locale.ROOT,
                        "| %.1f %% | `%s` |%n",
                        100 * entry.getValue() / all,
                        entry.getKey())));
    return table + "\n";
  }
}
