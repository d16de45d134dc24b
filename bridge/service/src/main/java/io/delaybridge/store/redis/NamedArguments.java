package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.store.ShardStore.Named;
import java.util.ArrayList;
import java.util.List;

/** Copies of the later topic in the form that scripts read. */
final class NamedArguments {

  private NamedArguments() {}

  /** Divides the copies into pages of at most so many; returns at least one page. */
  static List<List<Named>> pages(List<Named> copies, int most) {
    List<List<Named>> pages = new ArrayList<>();
    for (int from = 0; from == 0 || from < copies.size(); from += most) {
      pages.add(copies.subList(from, Math.min(from + most, copies.size())));
    }
    return pages;
  }

  /** Arguments to judge the copies. */
  static byte[][] judged(List<Named> copies, byte[]... head) {
    List<byte[]> args = new ArrayList<>(List.of(head));
    for (Named copy : copies) {
      args.add(bytes(copy.id()));
      args.add(RedisKeys.offset(copy.origin()));
    }
    return args.toArray(byte[][]::new);
  }

  /** Arguments to recall the copies, with their offsets in the later topic. */
  static byte[][] recalled(List<Named> copies, byte[]... head) {
    List<byte[]> args = new ArrayList<>(List.of(head));
    for (Named copy : copies) {
      args.add(bytes(copy.id()));
      args.add(RedisKeys.offset(copy.origin()));
      args.add(RedisKeys.far(copy.at()));
      args.add(copy.next() == Named.ONCE ? new byte[0] : bytes(copy.next()));
    }
    return args.toArray(byte[][]::new);
  }
}
