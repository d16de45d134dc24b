package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions of the program that need no fault run. */
class MainTest {

  @TempDir Path root;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... arguments) {
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Main(root, printed).run(List.of(arguments));
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void help_names_every_option() {
    assertThat(run("--help")).isZero();
    assertThat(said())
        .contains(
            "--only",
            "--guarantee",
            "--seed",
            "--scale",
            "--single",
            "--quick",
            "--results",
            "--recheck",
            "--report",
            "--list");
  }

  @Test
  void the_list_has_every_row() {
    assertThat(run("--list")).isZero();
    assertThat(said().lines()).hasSameSizeAs(Rows.all());
    assertThat(said()).contains("kill-bridge", "SIGKILL of a random bridge", "300,000");
  }

  @Test
  void a_single_fault_comes_with_its_share_of_the_messages() {
    Shape all = Rows.named("kill-bridge").orElseThrow().shape();
    Shape single = Rows.named("kill-bridge").orElseThrow().single().shape();
    assertThat(single.injections()).isOne();
    assertThat(single.messages()).isEqualTo(all.messages() / all.injections());
  }

  @Test
  void names_of_rows_are_unique_and_the_quick_selection_is_made_of_them() {
    assertThat(Rows.all()).extracting(Row::name).doesNotHaveDuplicates();
    assertThat(Rows.quick()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only|fire|--only is 'fire', allowed: kill-bridge, ",
        "--guarantee|twice|--guarantee is 'twice', allowed: exactly_once, at_least_once",
        "--seed|x|--seed is 'x', allowed: a whole number",
        "--scale|0|--scale is '0', allowed: more than 0, at most 1",
        "--scale|1.5|--scale is '1.5', allowed: more than 0, at most 1",
        "--scale|much|--scale is 'much', allowed: more than 0, at most 1",
        "--recheck|nowhere|--recheck is '",
        "--fast|1|--fast is not an option, allowed: see --help",
      })
  void a_wrong_option_is_refused_with_what_is_allowed(String name, String value, String said) {
    assertThat(run(name, value)).isEqualTo(2);
    assertThat(said()).startsWith(said);
  }

  @Test
  void an_option_without_its_value_is_refused() {
    assertThat(run("--seed")).isEqualTo(2);
    assertThat(said()).startsWith("--seed needs a value");
  }

  private static Outcome outcome(int messages, Map<Violation, Long> violations, long stall) {
    return new Outcome(
        "kill-bridge",
        "SIGKILL of a random bridge",
        Guarantee.AT_LEAST_ONCE,
        messages,
        67,
        Map.of(),
        890,
        violations,
        4,
        stall,
        4711,
        33,
        new Provenance("abc", "2026-01-02T03:04:05Z", "a machine"),
        true,
        List.of());
  }

  @Test
  void the_report_is_made_of_the_files_with_results() throws IOException {
    Files.createDirectories(root.resolve("docs"));
    Map<Violation, Long> violations = new EnumMap<>(Violation.class);
    violations.put(Violation.DUPLICATED, 17L);
    new Results(root.resolve("docs/reliability")).write(outcome(12_345, violations, 5_600));
    new Results(root.resolve("docs/reliability/single"))
        .write(outcome(41, new EnumMap<>(Map.of(Violation.DUPLICATED, 0L)), 4_200));
    assertThat(run("--report")).isZero();
    assertThat(Files.readString(root.resolve("docs/reliability.md")))
        .contains(
            "| SIGKILL of a random bridge | at least once | 12,345 | 67 | 0 | 17 of 890 allowed |"
                + " 0 | 5.6 s |")
        .contains(
            "| SIGKILL of a random bridge | at least once | 4.2 s | 0 | 0 of 890 allowed | 4711 |"
                + " 2026-01-02T03:04:05Z | abc |")
        .contains("| 4711 | 2026-01-02T03:04:05Z | abc | 33 s | 4 |")
        .contains("a machine");
  }
}
