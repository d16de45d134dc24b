package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.letters.Content;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dead letters as the API shows them. */
public final class DeadLetterViews {

  private DeadLetterViews() {}

  /**
   * A dead letter.
   *
   * @param source its name in all calls; that of an occurrence of a message that repeats ends in
   *     the number of the occurrence, as {@code topic/partition/offset-occurrence}
   * @param at when it died, epoch milliseconds
   * @param position where it is on the dead-letter topic
   * @param markedAt when something was done about it, epoch milliseconds, or null
   * @param markedBy who did it, or null
   * @param replayedAs the intake record of its replay, or null
   * @param value its content, if it was asked for
   */
  public record Letter(
      String source,
      @Nullable String target,
      @Nullable String id,
      String reason,
      String detail,
      long at,
      int attempt,
      int replays,
      Mark.State state,
      int bytes,
      String position,
      @Nullable Long markedAt,
      @Nullable String markedBy,
      @Nullable String replayedAs,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Value value) {}

  /** Content, as text where it is UTF-8 and as Base64 where it is not. */
  public record Value(
      @Nullable String key,
      @Nullable String keyBase64,
      @Nullable String value,
      @Nullable String valueBase64,
      List<HeaderPair> headers) {}

  /** A part of the list; the cursor is null at its end. */
  @Schema(name = "DeadLetterPage")
  public record Page(List<Letter> deadLetters, @Nullable String cursor) {}

  /** Counts by reason and target; {@code at} is the start of the window in epoch milliseconds. */
  public record Counts(long windowMillis, List<Catalog.Count> counts) {}

  /** The effect that a replay would have. */
  public record DryRun(int matches, int malformed, int looping, int foreign) {}

  /** A replay that has begun. */
  public record Started(String job, int matches, int malformed, int looping, int foreign) {}

  /** The intake record of a replay. */
  public record Replayed(String source, int replays) {}

  /** How far a replay is; {@code at} is when that was so, in epoch milliseconds. */
  public record Job(
      String job,
      ReplayJob.State state,
      int total,
      int done,
      int failed,
      int skipped,
      int perSecond,
      long at,
      String instance,
      @Nullable String problem) {}

  static Letter letter(Catalog.Item item, @Nullable Content content) {
    DeadLetter letter = item.letter();
    Mark mark = item.mark();
    return new Letter(
        letter.source().toString(),
        letter.target(),
        letter.id(),
        letter.reason(),
        letter.detail(),
        letter.at(),
        letter.attempt(),
        letter.replays(),
        item.state(),
        letter.bytes(),
        letter.position().toString(),
        mark == null ? null : mark.at(),
        mark == null ? null : mark.by(),
        mark == null || mark.replayedAs() == null ? null : mark.replayedAs().toString(),
        content == null ? null : value(content));
  }

  static Value value(Content content) {
    return new Value(
        Payload.text(content.key()),
        Payload.base64(content.key()),
        Payload.text(content.value()),
        Payload.base64(content.value()),
        HeaderPair.of(content.headers()));
  }

  static Job job(ReplayJob job) {
    return new Job(
        job.job(),
        job.state(),
        job.total(),
        job.done(),
        job.failed(),
        job.skipped(),
        job.perSecond(),
        job.at(),
        job.instance(),
        job.problem());
  }
}
