package io.delaybridge.store;

/** The test environment for a group of promises. */
interface StoreFixture {

  /** Returns the shard of this test, which no other test uses; absent at first. */
  ShardClient shard();

  /** Makes the parts of a shard that is there, and has a message, contradict each other. */
  void damage(ShardClient shard);
}
