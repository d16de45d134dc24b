package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.Waiting;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.Owner;
import io.delaybridge.shard.ShardStatus;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Summary;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists every shard, whichever instance owns it. */
@Path("/v1/shards")
@Produces(MediaType.APPLICATION_JSON)
public final class ShardsResource {

  private final Desk desk;
  private final ShardDirectory directory;
  private final PendingView view;
  private final Supplier<List<LoopStatus>> loops;
  private final InstantSource clock;

  /**
   * @param loops tells the state of the loops of this process
   */
  public ShardsResource(
      Desk desk,
      ShardDirectory directory,
      PendingView view,
      Supplier<List<LoopStatus>> loops,
      InstantSource clock) {
    this.desk = desk;
    this.directory = directory;
    this.view = view;
    this.loops = loops;
    this.clock = clock;
  }

  /**
   * @param owner client id of the loop that has it, null while it is on its way to one
   * @param state as its loop sees it, null if that is in another process
   * @param problem why it does not run, null if it does or its loop is in another process
   * @param pending messages that wait
   * @param far how many of those are in the later topic; a message cancelled there is counted until
   *     its lap ends
   * @param nextDue epoch milliseconds from which the first of the others can be delivered: its due
   *     time, or when it was written if that was later; null if there is none
   * @param next intake offset up to which everything is stored, null if the store has nothing
   * @param end offset up to which the intake can be read
   * @param lag intake offsets that are not stored yet
   * @param frontier the committed checkpoint, null if there is none
   */
  public record Shard(
      String shard,
      String topic,
      int partition,
      @Nullable String owner,
      @Nullable String host,
      ShardStatus.@Nullable State state,
      @Nullable String problem,
      boolean paused,
      long pending,
      long far,
      long overdue,
      @Nullable Long nextDue,
      @Nullable Long next,
      long end,
      long lag,
      @Nullable String frontier) {}

  /** All shards of the intakes that the caller may see, or of one of these. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "shards", summary = "Every shard, whichever instance owns it")
  public List<Shard> shards(@Auth Caller caller, @QueryParam("intake") @Nullable String intake) {
    List<ShardId> shards = desk.shards(caller, intake);
    Map<ShardId, Owner> owners = Desk.kafka(directory::owners);
    Map<ShardId, Checkpoint> checkpoints = Desk.kafka(directory::checkpoints);
    Map<ShardId, Long> ends = Desk.kafka(() -> directory.ends(shards));
    Map<ShardId, ShardStatus> here = new HashMap<>();
    LoopStatus.shards(loops.get()).forEach(each -> here.put(each.shard(), each));
    return Desk.store(() -> view.summaries(shards, clock.millis())).stream()
        .map(
            summary ->
                shard(
                    summary,
                    owners.get(summary.shard()),
                    checkpoints.get(summary.shard()),
                    ends.getOrDefault(summary.shard(), 0L),
                    here.get(summary.shard())))
        .toList();
  }

  private static Shard shard(
      Summary summary,
      @Nullable Owner owner,
      @Nullable Checkpoint checkpoint,
      long end,
      @Nullable ShardStatus here) {
    ShardId id = summary.shard();
    long next = Math.max(0, summary.next());
    long far = Waiting.far(checkpoint);
    return new Shard(
        id.toString(),
        id.topic(),
        id.partition(),
        owner == null ? null : owner.loop(),
        owner == null ? null : owner.host(),
        here == null ? null : here.state(),
        here == null ? null : here.problem(),
        checkpoint != null && checkpoint.paused(),
        summary.pending() + far,
        far,
        summary.overdue(),
        summary.nextDue() == Long.MAX_VALUE ? null : summary.nextDue(),
        summary.next() < 0 ? null : summary.next(),
        end,
        Math.max(0, end - next),
        checkpoint == null ? null : checkpoint.encode());
  }
}
