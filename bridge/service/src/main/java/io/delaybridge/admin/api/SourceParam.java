package io.delaybridge.admin.api;

import io.delaybridge.message.Source;
import jakarta.ws.rs.PathParam;

/**
 * A source as part of a path: {@code topic/partition/offset}. Its fields are public for the OpenAPI
 * document.
 */
public final class SourceParam {

  @PathParam("topic")
  public String topic = "";

  @PathParam("partition")
  public int partition;

  @PathParam("offset")
  public long offset;

  Source source() {
    return new Source(topic, partition, offset);
  }

  @Override
  public String toString() {
    return source().toString();
  }
}
