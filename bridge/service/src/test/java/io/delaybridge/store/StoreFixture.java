package io.delaybridge.store;

/** What a group of promises is tried on. */
interface StoreFixture {

  /** The shard of this test, which no other test knows; absent at first. */
  ShardClient shard();

  /** Makes the parts of a shard that is there, and has a message, contradict each other. */
  void damage(ShardClient shard);
}
