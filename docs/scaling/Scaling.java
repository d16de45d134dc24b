import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What docs/scaling.md says, worked out: {@code java docs/scaling/Scaling.java} from the top of the
 * checkout.
 *
 * <p>The model is one of processor time. On the machine of the benchmarks everything shares the
 * cores and nearly all are busy, so a rate is cores divided by what a message costs. Three measured
 * rates give three costs; two others are predicted from them and compared. Redis runs its commands on
 * one core, whatever the machine has.
 */
final class Scaling {

  private static final int CORES = 2;
  private static final double MICROS = 1e6;
  // In the encoding of the page. The machine's may not have all letters, so they are escaped below.
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  // Of Redis alone, for 145 stored bytes: store, take and settle, due times spread. ADR 22.
  private static final double REDIS_MICROS = 6.7 + 2.8 + 1.6;
  // The record in the intake and its copy in the target, as Kafka keeps them.
  private static final int RECORD_BYTES = 200;
  // A core that is used to the full is late.
  private static final double USABLE = 0.6;

  private Scaling() {}

  public static void main(String[] args) throws IOException {
    double pass = cost("pass-through");
    double store = cost("store");
    double drain = cost("drain");
    double pendingBytes = median("backlog", "Redis, bytes each", "B");

    OUT.println("| 100 bytes, exactly once | predicted, \u00b5s a message | measured | predicted \u00f7 measured |");
    OUT.println("|---|--:|--:|--:|");
    // What is due when it is read does not go through Redis.
    compare("overdue: a plain copy", pass, cost("overdue"));
    // A pass-through reads and writes a message once; writing it into the intake is half of that.
    double mixed = store + drain + pass / 2;
    compare("mixed: the load writes as well", mixed, cost("mixed"));
    OUT.println();

    OUT.println("| messages a second | pending | cores, everything | Redis: cores | Redis: memory | Redis nodes | written to Kafka |");
    OUT.println("|--:|--:|--:|--:|--:|--:|--:|");
    size(50_000, 10_000_000, mixed, pendingBytes);
    size(500_000, 100_000_000, mixed, pendingBytes);
    size(5_000_000, 1_000_000_000, mixed, pendingBytes);
  }

  /** Microseconds of a core for each message. */
  private static double cost(String name) throws IOException {
    return CORES * MICROS / median("throughput", name, "msg/s");
  }

  /** The first figure of that name on a page of the benchmarks. */
  private static double median(String page, String name, String unit) throws IOException {
    String json = "docs/benchmarks/" + page + ".json";
    String figure =
        "\"name\" : \"%s\",\\s+\"unit\" : \"%s\",\\s+\"median\" : ([0-9.]+)";
    Matcher median =
        Pattern.compile(figure.formatted(Pattern.quote(name), Pattern.quote(unit)))
            .matcher(Files.readString(Path.of(json)));
    if (!median.find()) {
      throw new IllegalStateException(json + " has no " + name);
    }
    return Double.parseDouble(median.group(1));
  }

  private static void compare(String what, double predicted, double measured) {
    print("| %s | %.1f | %.1f | %.2f |", what, predicted, measured, predicted / measured);
  }

  private static void size(long rate, long pending, double mixed, double pendingBytes) {
    double cores = rate * mixed / MICROS / USABLE;
    double redisCores = rate * REDIS_MICROS / MICROS / USABLE;
    double gigabytes = pending * pendingBytes / (1L << 30);
    // One core each; and no node much larger than what can be copied and loaded in minutes.
    long nodes = Math.max(1, (long) Math.ceil(Math.max(redisCores, gigabytes / 16)));
    double written = rate * 2.0 * RECORD_BYTES / (1 << 20);
    print(
        "| %,d | %,d | %.1f | %.2f | %.1f GiB | %d | %.0f MiB/s |",
        rate, pending, cores, redisCores, gigabytes, nodes, written);
  }

  private static void print(String format, Object... values) {
    OUT.println(String.format(Locale.ROOT, format, values));
  }
}
