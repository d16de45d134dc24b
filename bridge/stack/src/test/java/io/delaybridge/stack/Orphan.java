package io.delaybridge.stack;

import java.nio.file.Path;

/** A program that starts a Redis and waits to be killed, for {@link ManagedProcessTest}. */
final class Orphan {

  private Orphan() {}

  public static void main(String[] args) throws InterruptedException {
    LocalRedis redis = LocalRedis.at(Path.of(args[0])).start();
    System.out.println(redis.pid());
    Thread.currentThread().join();
  }
}
