package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.desk.Pauses;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.dropwizard.servlets.tasks.Task;
import jakarta.ws.rs.core.Response;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /tasks/pause} and {@code POST /tasks/resume} on the admin port, with {@code
 * ?shard=topic/partition} for one shard.
 */
public final class PauseTask extends Task {

  private final Pauses pauses;
  private final String op;

  private PauseTask(String name, Pauses pauses, String op) {
    super(name);
    this.pauses = pauses;
    this.op = op;
  }

  /** Stops delivery. */
  public static PauseTask pause(Pauses pauses) {
    return new PauseTask("pause", pauses, DelayHeaders.OP_PAUSE);
  }

  /** Starts delivery. */
  public static PauseTask resume(Pauses pauses) {
    return new PauseTask("resume", pauses, DelayHeaders.OP_RESUME);
  }

  @Override
  public void execute(Map<String, List<String>> parameters, PrintWriter output) {
    List<String> wanted = parameters.getOrDefault("shard", List.of());
    List<ShardId> shards =
        pauses.shards(Caller.ANYONE).stream()
            .filter(shard -> wanted.isEmpty() || wanted.contains(shard.toString()))
            .toList();
    if (shards.isEmpty() || shards.size() < wanted.size()) {
      throw Problem.of(Response.Status.NOT_FOUND, "no such shard: " + wanted);
    }
    output.println("paused: " + pauses.tell(Caller.ANYONE, shards, op));
  }
}
