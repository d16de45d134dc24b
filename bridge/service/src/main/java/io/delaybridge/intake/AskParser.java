package io.delaybridge.intake;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.Due;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a record that asks for something other than a message of its own. */
final class AskParser {

  private static final Pattern PENDING = Pattern.compile("([0-9]{1,18})/([0-9]{1,15})");

  private AskParser() {}

  static Request parse(
      long offset,
      String op,
      @Nullable String id,
      ControlHeaders headers,
      long timestamp,
      long longestDelay)
      throws Rejection {
    String pending = headers.get(DelayHeaders.PENDING);
    return switch (op) {
      case DelayHeaders.OP_CANCEL ->
          pending == null
              ? cancellation(id)
              : new Ask(Due.asked(offset), id, named(Verb.CANCEL, pending, 0));
      case DelayHeaders.OP_MOVE, DelayHeaders.OP_SKIP -> {
        long due = DueTime.of(headers, timestamp, () -> id == null ? "" : id, longestDelay);
        Rejection seconds = DueTime.seconds(headers, due);
        if (seconds != null) {
          throw seconds;
        }
        Verb verb = op.equals(DelayHeaders.OP_MOVE) ? Verb.MOVE : Verb.SKIP;
        yield new Ask(Due.asked(offset), id, named(verb, pending, due));
      }
      case DelayHeaders.OP_REJECT -> new Ask(Due.asked(offset), id, named(Verb.REJECT, pending, 0));
      case DelayHeaders.OP_PAUSE -> ofShard(offset, Verb.PAUSE);
      case DelayHeaders.OP_RESUME -> ofShard(offset, Verb.RESUME);
      default ->
          throw new Rejection(
              Reason.UNKNOWN_OP,
              "delay-op is '%s', allowed: schedule, cancel, move, skip, reject, pause, resume"
                  .formatted(ControlHeaders.shortened(op)));
    };
  }

  private static Cancellation cancellation(@Nullable String id) throws Rejection {
    if (id == null) {
      throw new Rejection(
          Reason.CANCEL_WITHOUT_ID, "delay-op cancel needs a delay-id or a delay-pending");
    }
    return new Cancellation(id);
  }

  private static Ask ofShard(long offset, Verb verb) {
    return new Ask(Due.asked(offset), null, new StoredAsk(verb, 0, 0, 0));
  }

  private static StoredAsk named(Verb verb, @Nullable String pending, long moveTo)
      throws Rejection {
    if (pending == null) {
      throw new Rejection(
          Reason.INVALID_PENDING, "delay-op move, skip and reject need a delay-pending");
    }
    Matcher form = PENDING.matcher(pending);
    if (!form.matches()) {
      throw new Rejection(
          Reason.INVALID_PENDING,
          "delay-pending is '%s', allowed: the intake offset and the due time of a pending message, such as 117/1790000000000"
              .formatted(ControlHeaders.shortened(pending)));
    }
    return new StoredAsk(
        verb, Long.parseLong(form.group(1)), Long.parseLong(form.group(2)), moveTo);
  }
}
