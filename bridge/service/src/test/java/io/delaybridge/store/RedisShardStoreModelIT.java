package io.delaybridge.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.CorruptMessageException;
import io.delaybridge.schemas.StoredMessageCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Redis answers like {@link MemoryShardStore}, whatever the request. jqwik prints the seed of a run
 * that fails, and its shortest sequence of steps.
 */
class RedisShardStoreModelIT {

  @SuppressWarnings("NullAway.Init") // by jqwik, before the first property
  private static RedisServer redis;

  @BeforeContainer
  static void start() throws IOException {
    redis = RedisServer.start(Files.createTempDirectory(Path.of("target"), "redis-model-"));
  }

  @AfterContainer
  static void stop() {
    redis.close();
  }

  @Property(tries = 400)
  void anySequenceOfOperationsHasTheAnswersOfTheModel(
      @ForAll("bases") long base, @ForAll("steps") List<ModelStep> steps) {
    ShardStore.Shard key = ShardStoreContract.newShard();
    ModelRun run =
        new ModelRun(
            base, new ShardClient(new MemoryShardStore(), key), new ShardClient(redis.store, key));

    steps.forEach(run::take);
  }

  @Property(tries = 300)
  void randomBytesAreNeverAWrongMessage(
      @ForAll byte[] bytes, @ForAll @IntRange(max = 5) int place) {
    Assume.that(!isMessage(bytes));
    ShardClient shard = new ShardClient(redis.store, ShardStoreContract.newShard());
    List<DelayedMessage> stored =
        List.of(Samples.named(1, 10, "a"), Samples.message(2, 10), Samples.message(3, 10));
    shard.append(stored.stream().map(Samples::schedule).toArray(Entry[]::new));

    List<DelayedMessage> possible = new ArrayList<>(stored);
    possible.add(Operation.INGESTED);

    overwrite(redis.keys(shard), place, bytes);

    for (Operation operation : Operation.values()) {
      try {
        operation.run(shard);
        assertThat(shard.take(20).messages()).isSubsetOf(possible);
      } catch (StoreException.Corrupt | StoreException.OtherTopic e) {
        assertThat(e).hasMessageContaining(shard.shard().id().toString());
      }
    }
  }

  private static void overwrite(RawShard keys, int place, byte[] bytes) {
    switch (place) {
      case 0 -> keys.replace(2, RawShard.member(10, 2, bytes));
      case 1 -> redis.raw.hset(keys.ids(), Samples.utf8("a"), bytes);
      case 2 -> keys.replace(2, bytes);
      default -> {
        String field = List.of("topic", "next", "seq").get(place - 3);
        redis.raw.hset(keys.meta(), Samples.utf8(field), bytes);
      }
    }
  }

  private static boolean isMessage(byte[] bytes) {
    try {
      StoredMessageCodec.decode(bytes, 0, 0);
      return true;
    } catch (CorruptMessageException e) {
      return false;
    }
  }

  @Provide
  Arbitrary<Long> bases() {
    return Arbitraries.of(0L, 200L, (1L << 31) - 20, 1L << 40, 1L << 53, Long.MAX_VALUE - 100_000);
  }

  @Provide
  Arbitrary<List<ModelStep>> steps() {
    return Arbitraries.frequencyOf(
            Tuple.of(10, ingests()),
            Tuple.of(5, takes()),
            Tuple.of(3, settles()),
            Tuple.of(3, settlesBelow()),
            Tuple.of(1, Arbitraries.just(new ModelStep.Sweep())),
            Tuple.of(2, recalls()),
            Tuple.of(1, Arbitraries.integers().between(-2, 2).map(ModelStep.Complete::new)),
            Tuple.of(1, copies().map(ModelStep.Judge::new)),
            Tuple.of(1, Arbitraries.just(new ModelStep.Drop())),
            Tuple.of(1, Arbitraries.of(Operation.class).map(ModelStep.AsOtherTopic::new)))
        .list()
        .ofMaxSize(30);
  }

  private static Arbitrary<ModelStep> ingests() {
    return Combinators.combine(
            asides(),
            Arbitraries.frequency(Tuple.of(4, false), Tuple.of(1, true)),
            entries().list().ofMaxSize(8))
        .as(ModelStep.Ingest::new);
  }

  /** Returns offsets that are mostly 0. */
  private static Arbitrary<Integer> asides() {
    return Arbitraries.frequencyOf(
        Tuple.of(8, Arbitraries.just(0)), Tuple.of(1, Arbitraries.integers().between(-3, 3)));
  }

  private static Arbitrary<ModelStep> recalls() {
    return Combinators.combine(
            asides(), copies(), Arbitraries.frequency(Tuple.of(3, true), Tuple.of(1, false)))
        .as(ModelStep.Recall::new);
  }

  private static Arbitrary<List<ModelStep.Copy>> copies() {
    return Combinators.combine(
            Arbitraries.of("a", "b", "c"),
            Arbitraries.integers().between(0, 12),
            Arbitraries.integers().between(0, 9).injectNull(0.3))
        .as(ModelStep.Copy::new)
        .list()
        .ofMaxSize(5);
  }

  private static Arbitrary<ModelStep.Request> entries() {
    return Combinators.combine(
            Arbitraries.of(ModelStep.Kind.class),
            Arbitraries.of("a", "b", "c").injectNull(0.2),
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(1, 12))
        .as(ModelStep.Request::new);
  }

  private static Arbitrary<ModelStep> takes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(0, 200))
        .as(ModelStep.Take::new);
  }

  private static Arbitrary<ModelStep> settlesBelow() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(-2, 1))
        .as(ModelStep.SettleBelow::new);
  }

  private static Arbitrary<ModelStep> settles() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(0, 255),
            Arbitraries.integers().between(0, 255))
        .as(ModelStep.Settle::new);
  }
}
