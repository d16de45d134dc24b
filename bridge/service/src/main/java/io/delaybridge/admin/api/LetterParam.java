package io.delaybridge.admin.api;

import io.delaybridge.message.Source;
import jakarta.ws.rs.PathParam;

/**
 * The source of a dead letter as part of a path: {@code topic/partition/offset}, or {@code
 * topic/partition/offset-occurrence}. Its fields are public for the OpenAPI document.
 */
public final class LetterParam {

  /** The last part of the path. */
  static final String OFFSET = "[0-9]{1,18}(-[0-9]{1,9})?";

  @PathParam("topic")
  public String topic = "";

  @PathParam("partition")
  public int partition;

  @PathParam("offset")
  public String offset = "";

  Source source() {
    String[] parts = offset.split("-", -1);
    return new Source(
        topic,
        partition,
        Long.parseLong(parts[0]),
        parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
  }

  @Override
  public String toString() {
    return source().toString();
  }
}
