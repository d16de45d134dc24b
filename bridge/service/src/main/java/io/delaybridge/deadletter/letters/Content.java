package io.delaybridge.deadletter.letters;

import io.delaybridge.schemas.StoredHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Key, value and headers of a dead letter, those of the bridge included. */
public final class Content {

  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final List<StoredHeader> headers;

  /** Takes the arrays without copying them; whoever gets them must not write to them. */
  public Content(byte @Nullable [] key, byte @Nullable [] value, List<StoredHeader> headers) {
    this.key = key;
    this.value = value;
    this.headers = List.copyOf(headers);
  }

  /** The key, null if there is none. */
  public byte @Nullable [] key() {
    return key;
  }

  /** The value, null if there is none. */
  public byte @Nullable [] value() {
    return value;
  }

  /** The headers in their order. */
  public List<StoredHeader> headers() {
    return headers;
  }
}
