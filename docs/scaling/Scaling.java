import java.io.IOException;
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

  // Of Redis alone, for 145 stored bytes: store, take and settle, due times spread. ADR 22.
  private static final double REDIS_MICROS = 6.7 + 2.8 + 1.6;
  // ADR 17: a message of 100 bytes with two control headers.
  private static final int STORED_BYTES = 145;
  // ADR 22: beside the stored bytes.
  private static final int BESIDE_BYTES = 143;
  // The record in the intake and its copy in the target, as Kafka keeps them.
  private static final int RECORD_BYTES = 200;
  // A core that is used to the full is late.
  private static final double USABLE = 0.6;

  private Scaling() {}

  public static void main(String[] args) throws IOException {
    String figures = Files.readString(Path.of("docs/benchmarks/throughput.json"));
    double pass = cost(figures, "pass-through");
    double store = cost(figures, "store");
    double drain = cost(figures, "drain");

    System.out.println("| 100 bytes, exactly once | predicted, µs a message | measured | predicted ÷ measured |");
    System.out.println("|---|--:|--:|--:|");
    // What is due when it is read does not go through Redis.
    compare("overdue: a plain copy", pass, cost(figures, "overdue"));
    // A pass-through reads and writes a message once; writing it into the intake is half of that.
    double mixed = store + drain + pass / 2;
    compare("mixed: the load writes as well", mixed, cost(figures, "mixed"));
    System.out.println();

    System.out.println("| messages a second | pending | cores, everything | Redis: cores | Redis: memory | Redis nodes | written to Kafka |");
    System.out.println("|--:|--:|--:|--:|--:|--:|--:|");
    size(5_000, 1_000_000, mixed);
    size(50_000, 10_000_000, mixed);
    size(500_000, 100_000_000, mixed);
    size(5_000_000, 1_000_000_000, mixed);
  }

  /** Microseconds of a core for each message. */
  private static double cost(String figures, String name) {
    Matcher median =
        Pattern.compile("\"name\" : \"" + Pattern.quote(name) + "\",\\s+\"unit\" : \"msg/s\",\\s+\"median\" : ([0-9.]+)")
            .matcher(figures);
    if (!median.find()) {
      throw new IllegalStateException("docs/benchmarks/throughput.json has no rate of " + name);
    }
    return CORES * MICROS / Double.parseDouble(median.group(1));
  }

  private static void compare(String what, double predicted, double measured) {
    print("| %s | %.1f | %.1f | %.2f |", what, predicted, measured, predicted / measured);
  }

  private static void size(long rate, long pending, double mixed) {
    double cores = rate * mixed / MICROS / USABLE;
    double redisCores = rate * REDIS_MICROS / MICROS / USABLE;
    double gigabytes = pending * (double) (STORED_BYTES + BESIDE_BYTES) / (1L << 30);
    // One core each; and no node much larger than what can be copied and loaded in minutes.
    long nodes = Math.max(1, (long) Math.ceil(Math.max(redisCores, gigabytes / 16)));
    double written = rate * 2.0 * RECORD_BYTES / (1 << 20);
    print(
        "| %,d | %,d | %.1f | %.2f | %.1f GiB | %d | %.0f MiB/s |",
        rate, pending, cores, redisCores, gigabytes, nodes, written);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
