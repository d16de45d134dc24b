package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.Noise;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metadata that somebody else may have committed in place of a checkpoint. */
class BadCheckpointsTest {

  private static final int CASES = Integer.getInteger("noise.cases", 300_000);
  private static final List<String> VALID =
      List.of(
          "v1|7jORINGrRJ27Rhb7xCt0uA|6|4:1795246367002:0|0:604800000|8",
          "v1|7jORINGrRJ27Rhb7xCt0uA|6|4:1795246367002:0,9:-1:0|0:604800000,7:1000|8|paused",
          "v1|x|0|4:*||1");

  @Test
  void everyTextIsACheckpointThatCanBeWrittenAgainOrUnreadable() throws UnreadableException {
    Noise noise = new Noise(Long.getLong("noise.seed", 1));
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      String text = noise.changed(noise.of(VALID));
      Checkpoint checkpoint;
      try {
        checkpoint = Checkpoint.parse(text);
      } catch (UnreadableException e) {
        assertThat(String.valueOf(e.getMessage()).length()).as(text).isLessThan(600);
        continue;
      }
      read++;
      assertThat(Checkpoint.parse(checkpoint.encode())).as(text).isEqualTo(checkpoint);
    }
    assertThat(read).isBetween(CASES / 10, CASES / 2);
  }
}
