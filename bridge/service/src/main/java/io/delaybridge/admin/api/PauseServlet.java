package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Parameters;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.desk.Pauses;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.dropwizard.jetty.setup.ServletEnvironment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.Response.Status;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /tasks/pause} and {@code POST /tasks/resume} on the admin port, with {@code
 * ?shard=topic/partition} for one shard or {@code ?intake=topic} for those of one intake. Not a
 * task of Dropwizard's, because those answer 500 to whatever is wrong with a call.
 */
public final class PauseServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private static final String SHARD = "shard";
  private static final String INTAKE = "intake";

  private final transient Parameters parameters =
      new Parameters(Map.of(SHARD, String.class, INTAKE, String.class));
  private final transient Pauses pauses;
  private final String op;

  private PauseServlet(Pauses pauses, String op) {
    this.pauses = pauses;
    this.op = op;
  }

  /** Puts both on the admin port. */
  public static void register(ServletEnvironment admin, Pauses pauses) {
    register(admin, "/tasks/pause", new PauseServlet(pauses, DelayHeaders.OP_PAUSE));
    register(admin, "/tasks/resume", new PauseServlet(pauses, DelayHeaders.OP_RESUME));
  }

  private static void register(ServletEnvironment admin, String path, PauseServlet servlet) {
    admin.addServlet(path, servlet).addMapping(path);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Map<String, List<String>> given = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> given.put(name, Arrays.asList(values)));
    parameters.check(given);
    // What is left of the body: that of a form is in the parameters.
    if (request.getInputStream().read() >= 0) {
      throw Problem.of(Status.BAD_REQUEST, "this call takes no body");
    }
    List<ShardId> paused = tell(request.getParameter(SHARD), request.getParameter(INTAKE));
    response.setContentType("text/plain;charset=utf-8");
    response.getWriter().println("paused: " + paused);
  }

  private List<ShardId> tell(@Nullable String shard, @Nullable String intake) {
    if (shard != null && intake != null) {
      throw Problem.of(Status.BAD_REQUEST, "give either shard or intake, not both");
    }
    List<ShardId> shown = pauses.shards(Caller.ANYONE, intake);
    if (shard == null) {
      return pauses.tell(shown, op, shown);
    }
    List<ShardId> one = shown.stream().filter(each -> shard.equals(each.toString())).toList();
    if (one.isEmpty()) {
      throw Problem.of(Status.NOT_FOUND, Problem.shown(shard) + " is not a shard of this bridge");
    }
    return pauses.tell(one, op, shown);
  }
}
