package io.delaybridge.admin.desk;

import static java.util.stream.Collectors.joining;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.message.ShardId;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the shards of one intake. */
final class ShardsOf {

  private ShardsOf() {}

  /**
   * Those of one intake, or all for null.
   *
   * @param all the shards that the caller may see
   * @throws Problem 403 if the caller may not see that intake, 400 if this bridge does not have it
   */
  static List<ShardId> intake(@Nullable String intake, Caller caller, List<ShardId> all) {
    if (intake == null) {
      return all;
    }
    caller.mustSee(intake);
    List<ShardId> some = all.stream().filter(shard -> shard.topic().equals(intake)).toList();
    if (some.isEmpty()) {
      String topics = all.stream().map(ShardId::topic).distinct().collect(joining(", "));
      throw Problem.of(
          Status.BAD_REQUEST,
          "intake is '%s', allowed: %s".formatted(Problem.shown(intake), topics));
    }
    return some;
  }
}
