package io.delaybridge.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore.Named;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis sorts members by their bytes; this order must be the order of their keys. */
class RedisKeysTest {

  private static final long LATEST = 253_402_300_799_999L;

  private static byte[] member(Due key, byte[] stored) {
    byte[] withRoom = new byte[14 + stored.length];
    System.arraycopy(stored, 0, withRoom, 14, stored.length);
    return RedisKeys.member(key, withRoom);
  }

  @Property
  void membersSortAsTheirKeys(
      @ForAll("keys") Due one, @ForAll("keys") Due other, @ForAll byte[] a, @ForAll byte[] b) {
    int order = sign(one.compareTo(other));
    if (order != 0) {
      assertThat(sign(bytes(member(one, a), member(other, b)))).isEqualTo(order);
    }
  }

  @Property
  void aKeyIsABoundBetweenWhatIsBelowItAndTheRest(
      @ForAll("keys") Due key, @ForAll("bounds") Due bound, @ForAll byte[] stored) {
    assertThat(bytes(member(key, stored), RedisKeys.key(bound)) < 0).isEqualTo(key.isBefore(bound));
  }

  @Property
  void aDueTimeIsABoundBetweenWhatIsEarlierAndTheRest(
      @ForAll("keys") Due key, @ForAll("bounds") Due bound) {
    byte[] member = member(key, new byte[0]);
    assertThat(bytes(member, RedisKeys.due(bound.time())) < 0).isEqualTo(key.time() < bound.time());
  }

  @Property
  void aMemberHasItsKeyAndWhatIsStored(@ForAll("keys") Due key, @ForAll byte[] stored) {
    byte[] member = member(key, stored);

    assertThat(RedisKeys.key(member)).isEqualTo(key);
    assertThat(Arrays.copyOfRange(member, 14, member.length)).isEqualTo(stored);
  }

  @Property
  void anEntryOfAnIdHasTheKeyBehindTheOrigin(@ForAll("keys") Due key) {
    byte[] entry = new byte[22];
    System.arraycopy(RedisKeys.key(key), 0, entry, 8, 14);

    entry[7] = 17;
    assertThat(RedisKeys.entry(entry)).contains(new RedisKeys.Entry(17, key));
    assertThat(RedisKeys.entry(entry).filter(RedisKeys.Entry::isFar)).isEmpty();
    assertThat(RedisKeys.entry(Arrays.copyOf(entry, 21))).isEmpty();
    assertThat(RedisKeys.entry(null)).isEqualTo(Optional.empty());
  }

  @Property
  void theKeyOfWhatIsFarIsBehindAllOthersAndTellsWhereItIs(
      @ForAll("keys") Due key, @ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 2) long at) {
    byte[] entry = new byte[22];
    System.arraycopy(RedisKeys.far(at), 0, entry, 8, 14);

    assertThat(bytes(RedisKeys.key(key), RedisKeys.far(at))).isNegative();
    assertThat(RedisKeys.entry(entry).filter(RedisKeys.Entry::isFar))
        .map(RedisKeys.Entry::at)
        .contains(at);
    System.arraycopy(RedisKeys.far(Named.SOMEWHERE), 0, entry, 8, 14);
    assertThat(RedisKeys.entry(entry)).map(RedisKeys.Entry::at).contains(Named.SOMEWHERE);
    // The key NO_COPY of keys.lua.
    entry[21]--;
    assertThat(RedisKeys.entry(entry)).map(RedisKeys.Entry::at).contains(Named.SOMEWHERE);
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, Long.MIN_VALUE, (1L << 48) - 2, Long.MAX_VALUE})
  void nothingIsStoredUnderADueTimeThatHasNoBytes(long time) {
    assertThatThrownBy(() -> member(new Due(time, 1), new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(time));
  }

  @Test
  void aMemberThatIsTooShortHasNoKey() {
    assertThatThrownBy(() -> RedisKeys.key(new byte[13]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a member of 13 bytes");
  }

  @Provide
  Arbitrary<Due> keys() {
    return Combinators.combine(
            Arbitraries.longs().between(-1, LATEST).edgeCases(edges -> edges.add(0xffff_ffffL)),
            Arbitraries.longs().greaterOrEqual(0))
        .as(Due::new);
  }

  @Provide
  Arbitrary<Due> bounds() {
    return Arbitraries.oneOf(
        keys(),
        Arbitraries.of(
            Due.NEVER, Due.asked(0), new Due(-1, Long.MAX_VALUE), new Due(Long.MAX_VALUE, 0)));
  }

  /** Compares as Redis does. */
  private static int bytes(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other);
  }

  private static int sign(int order) {
    return Integer.signum(order);
  }
}
