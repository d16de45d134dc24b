package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.bench.speed.lab.Guarantee;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OptionsTest {

  private static Map<Experiment, Options> parse(String line) {
    return CommandLine.parse(List.of(line.split(" ", -1)));
  }

  /** Returns the options of the only experiment. */
  private static Options only(String line) {
    return parse(line).values().iterator().next();
  }

  private static List<Experiment> experiments() {
    return Experiment.ALL;
  }

  @Test
  void throughputHasSeveralSizesAndGuarantees() {
    Options options = only("throughput");
    assertThat(options.sizes()).containsExactly(100, 1024);
    assertThat(options.guarantees())
        .containsExactly(Guarantee.EXACTLY_ONCE, Guarantee.AT_LEAST_ONCE);
    assertThat(options.messages()).isEqualTo(400_000);
  }

  @Test
  void latenessHasSeveralGuaranteesAndOneSize() {
    Options options = only("lateness");
    assertThat(options.sizes()).containsExactly(100);
    assertThat(options.guarantees())
        .containsExactly(Guarantee.EXACTLY_ONCE, Guarantee.AT_LEAST_ONCE);
  }

  @ParameterizedTest
  @CsvSource({
    "backlog, 400000",
    "herd, 200000",
    "restart, 400000",
    "scale, 400000",
    "soak, 400000",
    "profile, 400000",
    "others, 40000"
  })
  void theOthersHaveOneSizeAndOneGuaranteeAndMessagesOfTheirOwn(String what, int messages) {
    Options options = only(what);
    assertThat(options.sizes()).containsExactly(100);
    assertThat(options.guarantees()).containsExactly(Guarantee.EXACTLY_ONCE);
    assertThat(options.messages()).isEqualTo(messages);
  }

  @Test
  void whatIsGivenHolds() {
    Options options =
        only(
            "restart --size 7 --guarantee at_least_once --partitions 3 --backlog 1000 --rounds 2"
                + " --loops 4 --bridge-jvm -Xmx1g,-XX:+UseZGC --redis appendonly=no,hz=20");
    assertThat(options.size()).isEqualTo(7);
    assertThat(options.guarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
    assertThat(options.partitions()).isEqualTo(3);
    assertThat(options.backlog()).isEqualTo(1_000);
    assertThat(options.far()).isZero();
    assertThat(only("restart --far 5").far()).isEqualTo(5);
    assertThat(options.rounds()).isEqualTo(2);
    assertThat(options.loops()).isEqualTo(4);
    assertThat(options.bridgeJvm()).containsExactly("-Xmx1g", "-XX:+UseZGC");
    assertThat(options.redis())
        .containsExactlyInAnyOrderEntriesOf(Map.of("appendonly", "no", "hz", "20"));
    assertThat(only("soak --minutes 2").minutes()).isEqualTo(2);
    assertThat(only("herd --messages 30000").messages()).isEqualTo(30_000);
    assertThat(only("throughput --size 1,20,300").sizes()).containsExactly(1, 20, 300);
  }

  @Test
  void paceHasSeveralRatesAndTolerances() {
    assertThat(only("pace").rates()).containsExactly(10, 50, 500, 5_000);
    assertThat(only("pace --tolerances 0,7").tolerances()).containsExactly(0, 7);
  }

  @Test
  void whatToMeasureKeepsItsOrder() {
    assertThat(parse("scale --rounds 1 herd throughput").keySet())
        .extracting(Experiment::name)
        .containsExactly("scale", "herd", "throughput");
  }

  @Test
  void anOptionReachesThoseThatUseItAndTheOthersKeepTheirDefaults() {
    Map<Experiment, Options> both = parse("soak herd --minutes 2 --messages 50000");
    assertThat(both.values())
        .extracting(Options::words)
        .containsExactly(
            "--size 100 --messages 50000 --partitions 8 --guarantee exactly_once --loops 0"
                + " --bridge-jvm -Xmx512m --redis appendonly=yes --minutes 2",
            "--size 100 --messages 50000 --partitions 8 --guarantee exactly_once --rounds 3"
                + " --loops 0 --bridge-jvm -Xmx512m --redis appendonly=yes");
  }

  @Test
  void jmhUsesNothingButRounds() {
    assertThat(only("jmh --rounds 2").words()).isEqualTo("--rounds 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--size 0 herd | --size is '0', allowed: 1 to 100000",
        "--size 5,x throughput | --size is 'x', allowed: 1 to 100000",
        "--messages 10 herd | --messages is '10', allowed: 20000 to 5000000",
        "--rounds | --rounds has no value",
        "--guarantee twice herd"
            + " | --guarantee is 'twice', allowed: exactly_once, at_least_once",
        "--loops 65 herd | --loops is '65', allowed: 0 to 64",
        "--size 5,5 throughput | --size is [5, 5], allowed: each once",
        "--backlog 0 restart | --backlog is '0', allowed: 1000 to 20000000",
        "--minutes 0 soak | --minutes is '0', allowed: 1 to 600",
        "--rates 0 pace | --rates is '0', allowed: 1 to 20000",
        "--tolerances 501 pace | --tolerances is '501', allowed: 0 to 500"
      })
  void aWrongValueIsNamedWithWhatIsAllowed(String line, String message) {
    assertThatThrownBy(() -> parse(line)).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "herd --size 5,6"
            + " | --size is '5,6', allowed for herd: one value (bytes of a value, 1 to 100000)",
        "throughput lateness --size 5,6"
            + " | --size is '5,6', allowed for lateness: one value (bytes of a value, 1 to 100000)",
        "scale --guarantee exactly_once,at_least_once"
            + " | --guarantee is 'exactly_once,at_least_once', allowed for scale:"
            + " one value (exactly_once or at_least_once)"
      })
  void aListIsAnErrorWhereOneValueIsUsed(String line, String message) {
    assertThatThrownBy(() -> parse(line)).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jmh --size 100 | --size is used by none of [jmh], allowed: [--rounds]",
        "jmh herd --minutes 3"
            + " | --minutes is used by none of [jmh, herd], allowed: [--size, --messages,"
            + " --partitions, --guarantee, --rounds, --loops, --bridge-jvm, --redis]",
        "scale --loops 2"
            + " | --loops is used by none of [scale], allowed: [--size, --messages,"
            + " --partitions, --guarantee, --rounds, --bridge-jvm, --redis]"
      })
  void anOptionThatNobodyUsesIsAnError(String line, String message) {
    assertThatThrownBy(() -> parse(line)).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "herd --rounds 1 --rounds 1, --rounds",
    "herd --rounds 1 herd, herd",
  })
  void whatIsRepeatedIsAnError(String line, String word) {
    assertThatThrownBy(() -> parse(line)).hasMessage(word + " is given twice, allowed: once");
  }

  @ParameterizedTest
  @CsvSource({"''", "Xmx1g", "'-Xmx1g,'", "'-Xmx1g,--,x'"})
  void argumentsOfAJvmBeginWithADash(String value) {
    assertThatThrownBy(() -> CommandLine.parse(List.of("herd", "--bridge-jvm", value)))
        .hasMessage(
            "--bridge-jvm is '%s', allowed: arguments that begin with -, with commas"
                .formatted(value));
  }

  @ParameterizedTest
  @CsvSource({"''", "appendonly", "appendonly=", "'hz=1,'", "'hz=1,hz=2'", "a b=c"})
  void settingsOfRedisHaveNamesAndValues(String value) {
    assertThatThrownBy(() -> CommandLine.parse(List.of("herd", "--redis", value)))
        .hasMessage(
            "--redis is '%s', allowed: name=value, with commas, each name once".formatted(value));
  }

  @Test
  void anUnknownWordIsNamed() {
    assertThatThrownBy(() -> parse("heard")).hasMessageContaining("'heard' is not known");
  }

  @Test
  void nothingToMeasureIsAnError() {
    assertThatThrownBy(() -> parse("--rounds 2")).hasMessageContaining("nothing to measure");
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void theHelpSaysWhichOptionsEachHas(Experiment experiment) {
    assertThat(CommandLine.help())
        .containsPattern(
            "(?m)^  %s +%s$".formatted(experiment.name(), CommandLine.words(experiment.options())));
  }

  @Test
  void theHelpSaysWhatEachOptionMeans() {
    assertThat(CommandLine.help())
        .contains("  --backlog     messages that stay pending, 1000 to 20000000\n");
  }
}
