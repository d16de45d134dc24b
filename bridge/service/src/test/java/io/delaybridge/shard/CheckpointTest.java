package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.shard.Admission.Rule;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.shard.Frontier.Pair;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {

  private static final String TOPIC_ID = "J2Kz3cRHQPqrU1yXcpKLMg";

  /** A checkpoint as existing brokers hold it; it must stay readable. */
  private static final String GOLDEN =
      "v1|J2Kz3cRHQPqrU1yXcpKLMg|17|500:1760000009000:321,740:1760000001000:12|"
          + "0:604800000,600:86400000|8";

  private static final Checkpoint AS_AN_OBJECT =
      new Checkpoint(
          TOPIC_ID,
          17,
          Frontier.NONE
              .with(new Pair(500, new Due(1_760_000_009_000L, 321)))
              .with(new Pair(740, new Due(1_760_000_001_000L, 12))),
          new Admission(
              List.of(
                  new Rule(0, Reading.early(604_800_000L, 0)),
                  new Rule(600, Reading.early(86_400_000L, 0)))),
          8,
          Laps.NONE,
          false);

  @Test
  void aCheckpointIsWrittenInTheFormOfVersionOne() {
    assertThat(AS_AN_OBJECT.encode()).isEqualTo(GOLDEN);
  }

  @Test
  void aStoredCheckpointStaysReadable() throws UnreadableException {
    assertThat(Checkpoint.parse(GOLDEN)).isEqualTo(AS_AN_OBJECT);
  }

  @Test
  void aFrontierWithoutEndIsWrittenAsAStar() throws UnreadableException {
    Checkpoint all =
        new Checkpoint(
            TOPIC_ID,
            1,
            Frontier.NONE.with(new Pair(42, Due.NEVER)),
            Admission.of(Reading.early(1000, 0)),
            1,
            Laps.NONE,
            false);

    assertThat(all.encode()).isEqualTo("v1|J2Kz3cRHQPqrU1yXcpKLMg|1|42:*|0:1000|1");
    assertThat(Checkpoint.parse("v1|J2Kz3cRHQPqrU1yXcpKLMg|1|42:*|0:1000|1")).isEqualTo(all);
  }

  @Test
  void anEmptyFrontierIsWrittenAsNothing() throws UnreadableException {
    Checkpoint fresh =
        new Checkpoint(
            TOPIC_ID, 0, Frontier.NONE, Admission.of(Reading.early(1000, 0)), 1, Laps.NONE, false);

    assertThat(fresh.encode()).isEqualTo("v1|J2Kz3cRHQPqrU1yXcpKLMg|0||0:1000|1");
    assertThat(Checkpoint.parse("v1|J2Kz3cRHQPqrU1yXcpKLMg|0||0:1000|1")).isEqualTo(fresh);
  }

  @Test
  void aPauseIsPartOfIt() throws UnreadableException {
    Checkpoint paused =
        new Checkpoint(
            TOPIC_ID, 0, Frontier.NONE, Admission.of(Reading.early(1000, 0)), 1, Laps.NONE, true);

    assertThat(paused.encode()).isEqualTo("v1|J2Kz3cRHQPqrU1yXcpKLMg|0||0:1000|1|paused");
    assertThat(Checkpoint.parse(paused.encode())).isEqualTo(paused);
  }

  @Test
  void whatIsFarIsPartOfIt() throws UnreadableException {
    Checkpoint far =
        new Checkpoint(
            TOPIC_ID,
            0,
            Frontier.NONE,
            Admission.of(Reading.early(1000, 100)),
            1,
            new Laps(42, 3),
            true);

    assertThat(far.encode())
        .isEqualTo("v1|J2Kz3cRHQPqrU1yXcpKLMg|0||0:1000:100|later:42:3|1|paused");
    assertThat(Checkpoint.parse(far.encode())).isEqualTo(far);
  }

  /** As bridges hold it that read by rules of a later level than 0. */
  @Test
  void theLevelOfReadingIsPartOfIt() throws UnreadableException {
    Admission admission =
        Admission.of(Reading.early(1000, 0))
            .with(new Rule(5, new Reading(1000, 0, 1, true)), 0)
            .with(new Rule(7, new Reading(1000, 100, 1, false)), 0);
    Checkpoint leveled = new Checkpoint(TOPIC_ID, 0, Frontier.NONE, admission, 1, Laps.NONE, false);

    assertThat(leveled.encode())
        .isEqualTo("v1|J2Kz3cRHQPqrU1yXcpKLMg|0||0:1000,5:1000:0:1:pass,7:1000:100:1|1");
    assertThat(Checkpoint.parse(leveled.encode())).isEqualTo(leveled);
  }

  @Test
  void aLevelThatIsNotKnownIsRefused() {
    assertThatThrownBy(() -> Checkpoint.parse("v1|id|1||0:1:1:2|1"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageEndingWith(
            "the rules of reading are of level 2, but this bridge knows only 0 to 1");
  }

  @Test
  void aPairMayEndAmongTheAsks() throws UnreadableException {
    Frontier asks = Frontier.NONE.with(new Pair(9, Due.asked(7)));

    assertThat(Checkpoint.parse("v1|a|0|9:-1:7|0:1|1").frontier()).isEqualTo(asks);
  }

  @Test
  void superfluousPairsAreDroppedWhenReading() throws UnreadableException {
    assertThat(Checkpoint.parse("v1|a|0|9:*,5:1:1|0:1|1").frontier().pairs())
        .containsExactly(new Pair(9, Due.NEVER));
  }

  @ParameterizedTest
  @CsvSource({
    "v2|J2Kz3cRHQPqrU1yXcpKLMg|17||0:1|8, v2",
    "v10|J2Kz3cRHQPqrU1yXcpKLMg|17||0:1|8, v10",
    "{\"json\":1}, json",
    "'', ''"
  })
  void anotherVersionIsRefusedAndBothAreNamed(String text, String version) {
    assertThatThrownBy(() -> Checkpoint.parse(text))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(version)
        .hasMessageContaining("this bridge knows only v1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1",
        "v1|id|1||0:1",
        "v1|id|1||0:1|1|more",
        "v1||1||0:1|1",
        "v1|id|||0:1|1",
        "v1|id|-1||0:1|1",
        "v1|id|x||0:1|1",
        "v1|id|1|5|0:1|1",
        "v1|id|1|5:|0:1|1",
        "v1|id|1|5:1|0:1|1",
        "v1|id|1|5:*:*|0:1|1",
        "v1|id|1|5:1:1,|0:1|1",
        "v1|id|1|5:1:1:1|0:1|1",
        "v1|id|1|-5:*|0:1|1",
        "v1|id|1|9999999999999999999:*|0:1|1",
        "v1|id|1|||1",
        "v1|id|1||0|1",
        "v1|id|1||0:1:1:0|1",
        "v1|id|1||0:1:1:1:1|1",
        "v1|id|1||0:1:1:1:|1",
        "v1|id|1||0:1:1:1:none|1",
        "v1|id|1||0:1:1:1:pass:pass|1",
        "v1|id|1||0:1:1:pass|1",
        "v1|id|1||0:1:pass|1",
        "v1|id|1||0:pass|1",
        "v1|id|1||0:1:1:9999999999|1",
        "v1|id|1||0:1|later:1:1",
        "v1|id|1||0:1|later:1|1",
        "v1|id|1||0:1|1|later:1:1",
        "v1|id|1||0:1,|1",
        "v1|id|1||0:1|",
        "v1|id|1||0:1|2147483648"
      })
  void aDamagedCheckpointIsRefusedAndShown(String text) {
    assertThatThrownBy(() -> Checkpoint.parse(text))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageNotContaining("null");
  }

  @Test
  void aLongDamagedCheckpointIsShownInPart() {
    assertThatThrownBy(() -> Checkpoint.parse("v1|" + "x".repeat(4000)))
        .isInstanceOf(UnreadableException.class)
        .message()
        .contains("x...'")
        .hasSizeLessThan(300);
  }

  @Test
  void aCheckpointOfTwoPairsIsFarFromFull() {
    assertThat(AS_AN_OBJECT.isNearlyFull()).isFalse();
  }

  @Test
  void aCheckpointIsNearlyFullBeforeKafkaRefusesIt() {
    Checkpoint checkpoint = AS_AN_OBJECT;
    long offset = 1000;
    while (!checkpoint.isNearlyFull()) {
      assertThat(size(checkpoint)).isLessThanOrEqualTo(3584);
      offset++;
      Frontier longer =
          checkpoint.frontier().with(new Pair(offset, new Due(1_760_000_000_000L - offset, 0)));
      checkpoint =
          new Checkpoint(
              TOPIC_ID, checkpoint.seq(), longer, checkpoint.admission(), 8, Laps.NONE, false);
    }
    assertThat(size(checkpoint)).isBetween(3585, Checkpoint.MAX_BYTES - 200);
  }

  private static int size(Checkpoint checkpoint) {
    return checkpoint.encode().getBytes(StandardCharsets.UTF_8).length;
  }
}
