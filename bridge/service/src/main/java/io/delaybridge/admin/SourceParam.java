package io.delaybridge.admin;

import io.delaybridge.message.Source;
import jakarta.ws.rs.PathParam;

/** A source as part of a path: {@code topic/partition/offset}. */
public final class SourceParam {

  @PathParam("topic")
  String topic = "";

  @PathParam("partition")
  int partition;

  @PathParam("offset")
  long offset;

  Source source() {
    return new Source(topic, partition, offset);
  }

  @Override
  public String toString() {
    return source().toString();
  }
}
