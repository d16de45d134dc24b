package io.delaybridge.bench.faults.agent;

/** A place in the code of the bridge where the agent can end its process. */
public enum Point {
  // One turn.
  POLLED("shard.Turn", "poll", 0, Edge.EXIT, Group.TURN),
  STORE("shard.StoreStep", "run", 1, Edge.ENTRY, Group.TURN),
  STORE_SENT("store.redis.RedisShardStore", "ingest", 4, Edge.EXIT, Group.TURN),
  STORED("shard.StoreStep", "run", 1, Edge.EXIT, Group.TURN),
  TAKE("shard.TakeStep", "run", 0, Edge.ENTRY, Group.TURN),
  TAKEN("shard.TakeStep", "run", 0, Edge.EXIT, Group.TURN),
  DELIVER("shard.DeliverStep", "run", 2, Edge.ENTRY, Group.TURN),
  SENDING("delivery.Sends", "send", 2, Edge.EXIT, Group.TURN),
  COMMIT("delivery.TransactionalDelivery", "end", 2, Edge.ENTRY, Group.EXACTLY_ONCE),
  COMMITTED("delivery.TransactionalDelivery", "end", 2, Edge.EXIT, Group.EXACTLY_ONCE),
  FLUSHED("delivery.FlushingDelivery", "deliver", 4, Edge.EXIT, Group.AT_LEAST_ONCE),
  CHECKPOINT("delivery.FlushingDelivery", "commit", 2, Edge.ENTRY, Group.AT_LEAST_ONCE),
  CHECKPOINTED("delivery.FlushingDelivery", "commit", 2, Edge.EXIT, Group.AT_LEAST_ONCE),
  SETTLE("shard.Aftermath", "finish", 2, Edge.ENTRY, Group.TURN),
  SETTLE_SENT("store.redis.RedisShardStore", "settleBelow", 5, Edge.EXIT, Group.TURN),
  REST("store.redis.RedisShardStore", "ingestRest", 4, Edge.ENTRY, Group.DUE_WHEN_READ),
  REST_SENT("store.redis.RedisShardStore", "ingestRest", 4, Edge.EXIT, Group.DUE_WHEN_READ),
  RESTED("shard.StoreStep", "rest", 0, Edge.EXIT, Group.TURN),
  SETTLED("shard.Assignment", "awaitSettled", 1, Edge.EXIT, Group.TURN),
  // Laps of far messages.
  LAP("shard.LapStep", "lap", 2, Edge.ENTRY, Group.LAP),
  LAP_JUDGED("shard.LapStep", "alive", 2, Edge.EXIT, Group.LAP),
  LAP_SENT("shard.LapStep", "deliver", 4, Edge.EXIT, Group.LAP),
  LAP_PLACED("shard.LapStep", "place", 2, Edge.EXIT, Group.LAP),
  // Reading the ids of far messages into a Redis that was emptied.
  RECALL("shard.RecallStep", "recall", 1, Edge.ENTRY, Group.RECALL),
  RECALLED("shard.RecallStep", "recall", 1, Edge.EXIT, Group.RECALL),
  RECALL_COMPLETE("shard.RecallStep", "complete", 2, Edge.EXIT, Group.RECALL),
  // Acquiring a shard.
  ASSIGNED("shard.Assignment", "onPartitionsAssigned", 1, Edge.EXIT, Group.ACQUIRE),
  ACQUIRE("shard.Acquire", "acquire", 1, Edge.ENTRY, Group.ACQUIRE),
  CHECKPOINT_READ("shard.Committed", "read", 2, Edge.EXIT, Group.ACQUIRE),
  OPENED("shard.Acquire", "open", 1, Edge.EXIT, Group.ACQUIRE),
  TAKEN_OVER("shard.Acquire", "settle", 4, Edge.EXIT, Group.ACQUIRE),
  BEGUN("shard.Acquire", "begin", 6, Edge.EXIT, Group.ACQUIRE),
  // Giving shards away.
  REVOKE("shard.Assignment", "onPartitionsRevoked", 1, Edge.ENTRY, Group.LEAVE),
  REVOKED("shard.Assignment", "onPartitionsRevoked", 1, Edge.EXIT, Group.LEAVE);

  /** The side of the method that the point is on. */
  public enum Edge {
    ENTRY,
    EXIT
  }

  /** The occasion on which a bridge reaches a point. */
  public enum Group {
    /** With every turn. */
    TURN,
    /** With every turn that delivers exactly once. */
    EXACTLY_ONCE,
    /** With every turn that delivers at least once. */
    AT_LEAST_ONCE,
    /** With every turn that delivers a part of what it has just read. */
    DUE_WHEN_READ,
    /** With every lap of copies in a later topic. */
    LAP,
    /** After Redis was emptied, with far messages. */
    RECALL,
    /** When it is given a partition. */
    ACQUIRE,
    /** When another bridge joins. */
    LEAVE
  }

  private static final String ROOT = "io.delaybridge.";

  private final String type;
  private final String method;
  private final int arguments;
  private final Edge edge;
  private final Group group;

  Point(String type, String method, int arguments, Edge edge, Group group) {
    this.type = ROOT + type;
    this.method = method;
    this.arguments = arguments;
    this.edge = edge;
    this.group = group;
  }

  /** Returns the name of the class. */
  public String type() {
    return type;
  }

  /** Returns the name of the method. */
  public String method() {
    return method;
  }

  /** Returns the number of arguments of the method, which distinguishes overloads. */
  public int arguments() {
    return arguments;
  }

  public Edge edge() {
    return edge;
  }

  public Group group() {
    return group;
  }
}
