package io.delaybridge.stack;

import java.nio.file.Path;

/** Broker and Redis as processes on this machine. */
record ProcessStack(LocalBroker kafka, LocalRedis redis) implements Stack {

  static ProcessStack start(Path dir, StackSettings settings) {
    LocalBroker kafka = LocalBroker.at(dir.resolve("kafka"));
    LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
    settings.kafka().forEach(kafka::with);
    settings.redis().forEach(redis::with);
    return start(kafka, redis);
  }

  static ProcessStack start(LocalBroker kafka, LocalRedis redis) {
    ProcessStack stack = new ProcessStack(kafka, redis);
    try {
      redis.start();
      kafka.start();
      return stack;
    } catch (StackException e) {
      stack.close();
      throw e;
    }
  }

  @Override
  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  @Override
  public String redisUri() {
    return redis.uri();
  }

  @Override
  public void close() {
    try (redis) {
      kafka.close();
    }
  }
}
