package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final Progress progress = new Progress();

  @Test
  void theFirstThatIsUnfinishedHoldsUpAllBehindIt() {
    progress.begin(5);
    progress.begin(6);
    progress.begin(9);

    progress.finish(6);
    progress.finish(9);
    assertThat(progress.firstUnfinished()).hasValue(5);

    progress.finish(5);
    assertThat(progress.firstUnfinished()).isEmpty();
  }

  @Test
  void whatWasHandedOverTwiceMustBeFinishedTwice() {
    progress.begin(5);
    progress.begin(5);

    progress.finish(5);
    assertThat(progress.firstUnfinished()).hasValue(5);

    progress.finish(5);
    assertThat(progress.firstUnfinished()).isEmpty();
  }

  @Test
  void tellsHowFarWhatIsFinishedIsBeyondWhatIsNot() {
    assertThat(progress.span()).isZero();

    progress.begin(5);
    progress.begin(9);
    progress.finish(9);
    assertThat(progress.span()).isEqualTo(5);

    progress.finish(5);
    assertThat(progress.span()).isZero();
  }

  @Property
  void isTheLeastOfWhatIsLeft(
      @ForAll @Size(max = 30) List<@IntRange(max = 50) Integer> begun,
      @ForAll Set<@IntRange(max = 50) Integer> finished) {
    Progress one = new Progress();
    Set<Integer> left = new HashSet<>(begun);
    left.forEach(one::begin);
    finished.forEach(one::finish);
    left.removeAll(finished);

    assertThat(one.firstUnfinished().isPresent()).isEqualTo(!left.isEmpty());
    one.firstUnfinished().ifPresent(first -> assertThat(left).allMatch(offset -> offset >= first));
  }
}
