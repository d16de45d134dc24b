package io.delaybridge.admin.desk;

import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How callers name a pending message: by its id, or by its source, the intake offset of its record.
 *
 * @param id the {@code delay-id}, or null if it is named by its source
 * @param shard where it is, null if it is named by its id
 * @param offset intake offset of the record that is pending; after a move or a retry, of the last
 *     copy. -1 if it is named by its id
 */
public record Reference(@Nullable String id, @Nullable ShardId shard, long offset) {

  /**
   * A text of the form {@code topic/partition/offset} is a source if it begins with one of the
   * intakes; everything else is an id.
   */
  public static Reference parse(String text, Collection<String> intakes) {
    return Source.parse(text)
        .filter(source -> source.occurrence() == 0 && intakes.contains(source.topic()))
        .map(Reference::of)
        .orElse(new Reference(text, null, -1));
  }

  /** Names the message whose record is there. */
  static Reference of(Source source) {
    return new Reference(null, new ShardId(source.topic(), source.partition()), source.offset());
  }

  /** The shards in which it can be. */
  List<ShardId> among(List<ShardId> shards) {
    return shard == null ? shards : shards.stream().filter(shard::equals).toList();
  }

  /** Says what it means that nothing is pending under this name. */
  String gone() {
    return shard == null
        ? this + " is not pending: it was delivered, cancelled or never scheduled"
        : "nothing is pending at %s: it was delivered, cancelled or never scheduled, or a move or"
                .formatted(this)
            + " retry made a copy at another offset";
  }

  @Override
  public String toString() {
    return shard == null ? "'" + id + "'" : shard.source(offset).toString();
  }
}
