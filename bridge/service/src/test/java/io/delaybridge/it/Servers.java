package io.delaybridge.it;

import io.delaybridge.stack.Server;
import io.delaybridge.stack.Stack;

/**
 * Servers other than one broker and one Redis. {@link #kafka} and {@link #redis} return one of
 * several.
 *
 * @param group to be closed first
 * @param other to be closed then
 */
record Servers(
    String bootstrapServers,
    String redisUri,
    Server kafka,
    Server redis,
    AutoCloseable group,
    AutoCloseable other)
    implements Stack {

  @Override
  public void close() {
    try {
      try {
        group.close();
      } finally {
        other.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException("the servers did not stop", e);
    }
  }
}
