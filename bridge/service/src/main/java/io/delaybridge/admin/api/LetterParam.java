package io.delaybridge.admin.api;

import io.delaybridge.admin.Problem;
import io.delaybridge.message.Source;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response.Status;

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
    return Source.parse(toString())
        .orElseThrow(() -> Problem.of(Status.NOT_FOUND, "there is no dead letter " + this));
  }

  @Override
  public String toString() {
    return topic + "/" + partition + "/" + offset;
  }
}
