package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.index.LetterStore.Place;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers questions about dead letters, from memory. */
public final class Catalog {

  private static final Pattern CURSOR = Pattern.compile("([0-9]{1,15})/([0-9]{1,9})/([0-9]{1,18})");

  private final LetterStore letters;
  private final MarkStore marks;

  Catalog(LetterStore letters, MarkStore marks) {
    this.letters = letters;
    this.marks = marks;
  }

  /**
   * A dead letter and what was done about it.
   *
   * @param mark null if nothing was done
   */
  public record Item(DeadLetter letter, @Nullable Mark mark) {

    /** Returns the state of the letter; {@code NEW} without a mark. */
    public Mark.State state() {
      return mark == null ? Mark.State.NEW : mark.state();
    }
  }

  /**
   * A part of a list.
   *
   * @param cursor where the next part begins, null if there is none
   */
  public record Page(List<Item> items, @Nullable String cursor) {}

  /**
   * Dead letters of one window.
   *
   * @param at start of the window, epoch milliseconds
   */
  public record Count(String reason, @Nullable String target, long at, int count) {}

  /** The dead letter of this source, if the index has it. */
  public Optional<Item> find(Source source) {
    return Optional.ofNullable(letters.find(source)).map(this::item);
  }

  /**
   * The dead letters that match, newest first.
   *
   * @param limit most of them
   * @param cursor of the previous part, null for the first
   * @throws IllegalArgumentException if the cursor is not one of this class
   */
  public Page list(LetterFilter filter, int limit, @Nullable String cursor) {
    List<Item> found = new ArrayList<>();
    for (DeadLetter letter : letters.newestFirst(cursor == null ? null : place(cursor))) {
      if (filter.from() != null && letter.at() < filter.from()) {
        break;
      }
      Item item = item(letter);
      if (filter.matches(letter) && (filter.state() == null || filter.state() == item.state())) {
        if (found.size() == limit) {
          return new Page(found, cursor(found.get(limit - 1).letter()));
        }
        found.add(item);
      }
    }
    return new Page(found, null);
  }

  /**
   * How many died in each window that is not empty, by reason and target, oldest first.
   *
   * @param from epoch milliseconds
   * @param width of a window in milliseconds, whole minutes
   * @param intakes which intakes to count
   */
  public List<Count> counts(long from, long width, Predicate<String> intakes) {
    return letters.counts().since(from, width, intakes);
  }

  /** How far a replay is, if there was one of this name. */
  public Optional<ReplayJob> job(String job, long now) {
    return Optional.ofNullable(marks.job(job)).map(known -> known.asOf(now));
  }

  private Item item(DeadLetter letter) {
    return new Item(letter, marks.find(letter));
  }

  private static String cursor(DeadLetter letter) {
    Place place = Place.of(letter);
    String text = place.at() + "/" + place.partition() + "/" + place.offset();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static Place place(String cursor) {
    String text;
    try {
      text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cursor is '" + cursor + "', allowed: the cursor of the previous page", e);
    }
    Matcher form = CURSOR.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "cursor is '" + cursor + "', allowed: the cursor of the previous page");
    }
    return new Place(
        Long.parseLong(form.group(1)),
        Integer.parseInt(form.group(2)),
        Long.parseLong(form.group(3)));
  }
}
