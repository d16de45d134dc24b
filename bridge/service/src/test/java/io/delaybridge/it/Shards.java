package io.delaybridge.it;

import static org.awaitility.Awaitility.await;

import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.stream.StreamSupport;

/** The shards of a bridge, as its API reports them. */
final class Shards {

  private static final Duration LONG = Duration.ofMinutes(2);

  private Shards() {}

  /** Waits until this one delivers from some of the shards. */
  static void awaitSome(BridgeProcess bridge) {
    Api api = new Api(bridge);
    await()
        .atMost(LONG)
        .until(
            () ->
                StreamSupport.stream(api.get("shards").body().spliterator(), false)
                    .anyMatch(shard -> shard.path("state").asText().equals("OPEN")));
  }
}
