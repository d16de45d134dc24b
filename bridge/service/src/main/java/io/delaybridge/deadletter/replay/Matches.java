package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.letters.DeadLetter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The dead letters that a replay by filter would replay, and how many it would leave out.
 *
 * @param letters oldest first; nothing was done about any of them
 * @param malformed left out because their headers are at fault
 * @param looping left out because they were replayed too often
 * @param foreign left out because their intake does not belong to this bridge
 */
public record Matches(List<DeadLetter> letters, int malformed, int looping, int foreign) {

  static Matches of(Iterable<Catalog.Item> items, ReplayRules rules) {
    List<DeadLetter> letters = new ArrayList<>();
    int malformed = 0;
    int looping = 0;
    int foreign = 0;
    for (Catalog.Item item : items) {
      Refusal.Code code =
          rules
              .never(item.letter())
              .or(() -> rules.malformed(item.letter()))
              .map(Refusal::code)
              .orElse(null);
      if (code == null) {
        letters.add(item.letter());
      } else if (code == Refusal.Code.MALFORMED) {
        malformed++;
      } else if (code == Refusal.Code.LOOP) {
        looping++;
      } else {
        foreign++;
      }
    }
    Collections.reverse(letters);
    return new Matches(letters, malformed, looping, foreign);
  }
}
