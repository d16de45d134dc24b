package io.delaybridge.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The shards of this process and how they are. */
@Path("/v1/shards")
@Produces(MediaType.APPLICATION_JSON)
public final class ShardsResource {

  private final Supplier<List<LoopStatus>> loops;

  /** Takes what tells the state of the loops. */
  public ShardsResource(Supplier<List<LoopStatus>> loops) {
    this.loops = loops;
  }

  /**
   * @param nextDue epoch milliseconds, absent if nothing is pending
   * @param frontier the checkpoint as the loop has it; without transactions it is committed a
   *     little later
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Shard(
      String shard,
      String loop,
      ShardStatus.State state,
      @Nullable String problem,
      long pending,
      long overdue,
      @Nullable Long nextDue,
      long next,
      @Nullable String frontier) {}

  /** All shards that are assigned to this process. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "shards", summary = "The shards of this instance and how they are")
  public List<Shard> shards() {
    return loops.get().stream()
        .flatMap(loop -> loop.shards().stream().map(shard -> shard(loop, shard)))
        .toList();
  }

  private static Shard shard(LoopStatus loop, ShardStatus shard) {
    return new Shard(
        shard.shard().toString(),
        loop.loop(),
        shard.state(),
        shard.problem(),
        shard.pending(),
        shard.overdue(),
        shard.nextDue() == Long.MAX_VALUE ? null : shard.nextDue(),
        shard.next(),
        shard.checkpoint() == null ? null : shard.checkpoint().encode());
  }
}
