package io.delaybridge.admin.access;

import io.delaybridge.admin.Problem;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response.Status;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Refuses a body that is too large: at once if it says so, otherwise as soon as it is. A compressed
 * body counts as what it unpacks to. This comes after the check of the role, so that only those who
 * may call are listened to at all.
 */
@Priority(Priorities.ENTITY_CODER)
public final class BodyLimit implements ContainerRequestFilter {

  private final int max;

  /** Takes the most bytes. */
  public BodyLimit(int max) {
    this.max = max;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (request.getLength() > max) {
      throw tooLarge();
    }
    request.setEntityStream(new Limited(request.getEntityStream()));
  }

  private Problem tooLarge() {
    return Problem.of(Status.REQUEST_ENTITY_TOO_LARGE, "the body is larger than " + max + " bytes");
  }

  private final class Limited extends FilterInputStream {

    private long read;

    Limited(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int some = super.read(bytes, offset, length);
      count(Math.max(some, 0));
      return some;
    }

    @Override
    public long skip(long length) throws IOException {
      long some = super.skip(length);
      count(some);
      return some;
    }

    private void count(long some) {
      read += some;
      if (read > max) {
        throw tooLarge();
      }
    }
  }
}
