package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.shard.Admission.Rule;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.shard.Frontier.Pair;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Properties of every checkpoint and of any text. */
class CheckpointPropertyTest {

  @Property
  void whatIsWrittenIsReadAgain(@ForAll("checkpoints") Checkpoint checkpoint)
      throws UnreadableException {
    assertThat(Checkpoint.parse(checkpoint.encode())).isEqualTo(checkpoint);
  }

  @Property(tries = 3000)
  void garbageIsUnreadableAndNothingWorse(@ForAll("garbage") String text) {
    assertReadableOrNot(text);
  }

  @Property
  void oneChangedCharacterIsReadOrUnreadableAndNothingWorse(
      @ForAll("checkpoints") Checkpoint checkpoint, @ForAll @IntRange int at, @ForAll char what) {
    StringBuilder text = new StringBuilder(checkpoint.encode());
    text.setCharAt(at % text.length(), what);

    assertReadableOrNot(text.toString());
  }

  @Property
  void aCheckpointThatWasCutShortIsUnreadableOrLosesOnlyWhatItEndsWith(
      @ForAll("checkpoints") Checkpoint checkpoint, @ForAll @IntRange int length) {
    String text = checkpoint.encode();
    String cut = text.substring(0, length % text.length());
    Checkpoint read;
    try {
      read = Checkpoint.parse(cut);
    } catch (UnreadableException e) {
      assertThat(e).hasMessageNotContaining("null");
      return;
    }
    assertThat(read)
        .usingRecursiveComparison()
        .ignoringFields("born", "paused")
        .isEqualTo(checkpoint);
  }

  private static void assertReadableOrNot(String text) {
    Checkpoint checkpoint;
    try {
      checkpoint = Checkpoint.parse(text);
    } catch (UnreadableException e) {
      assertThat(e).hasMessageNotContaining("null");
      return;
    }
    assertThat(checkpoint.topicId()).isNotEmpty();
    assertThat(checkpoint.seq()).isNotNegative();
    assertThat(checkpoint.born()).isNotNegative();
  }

  @Provide
  Arbitrary<String> garbage() {
    return Arbitraries.oneOf(
        Arbitraries.strings(),
        Arbitraries.strings().withChars("v1|:,*-09").ofMaxLength(40),
        Arbitraries.strings().withChars("|:,*-09").ofMaxLength(40).map(rest -> "v1|id|" + rest),
        Arbitraries.strings()
            .withChars(":,*-0123456789")
            .ofMaxLength(12)
            .list()
            .ofSize(4)
            .map(fields -> "v1|id|" + String.join("|", fields)));
  }

  @Provide
  Arbitrary<Checkpoint> checkpoints() {
    Arbitrary<Long> numbers = Arbitraries.longs().between(0, 999_999_999_999_999_999L);
    Arbitrary<Due> keys = Combinators.combine(numbers, numbers).as(Due::new);
    Arbitrary<Pair> pairs =
        Combinators.combine(numbers, keys.injectNull(0.1))
            .as((below, before) -> new Pair(below, before == null ? Due.NEVER : before));
    Arbitrary<Frontier> frontiers =
        pairs
            .list()
            .ofMaxSize(6)
            .map(
                list -> {
                  Frontier frontier = Frontier.NONE;
                  for (Pair pair : list) {
                    frontier = frontier.with(pair);
                  }
                  return frontier;
                });
    Arbitrary<Reading> readings =
        Combinators.combine(
                numbers,
                numbers,
                Arbitraries.integers().between(0, Reading.LATEST),
                Arbitraries.of(true, false))
            .as(
                (longest, horizon, level, passes) ->
                    new Reading(longest, horizon, level, passes || level == 0));
    Arbitrary<Admission> admissions =
        Combinators.combine(numbers, readings)
            .as(Rule::new)
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(Admission::new);
    Arbitrary<String> ids =
        Arbitraries.strings().alpha().numeric().withChars("-_").ofMinLength(1).ofMaxLength(22);
    return Combinators.combine(
            ids,
            numbers,
            frontiers,
            admissions,
            Arbitraries.integers().greaterOrEqual(0),
            Combinators.combine(numbers, numbers).as(Laps::new),
            Arbitraries.of(true, false))
        .as(Checkpoint::new);
  }
}
