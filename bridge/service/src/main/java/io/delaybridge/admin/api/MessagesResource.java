package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.Reference;
import io.delaybridge.admin.limits.IntakeLimits;
import io.delaybridge.intake.IntakeWriter.Written;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schedules, finds, moves and cancels messages. */
@Path("/v1/messages")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public final class MessagesResource {

  private final Desk desk;
  private final Upcoming upcoming;
  private final RepeatingMessages repeating;
  private final IntakeLimits limits;
  private final List<String> intakes;
  private final InstantSource clock;

  /**
   * @param intakes names of the intakes, the first one is the default
   */
  public MessagesResource(
      Desk desk, PendingView view, IntakeLimits limits, List<String> intakes, InstantSource clock) {
    this.desk = desk;
    this.upcoming = new Upcoming(view);
    this.repeating = new RepeatingMessages(view, desk::named);
    this.limits = limits;
    this.intakes = intakes;
    this.clock = clock;
  }

  /**
   * @param source topic/partition/offset of the intake record
   * @param due epoch milliseconds; that of the first occurrence if the message repeats
   */
  public record Scheduled(String source, @Nullable String id, @Nullable String target, long due) {}

  /** The outcome of a request to cancel or to move, and the source of the message. */
  public record Done(String result, String source, @Nullable Long due) {}

  /** A new due time: one of the two, as in a request to schedule. */
  public record MoveRequest(
      @JsonProperty("delay") @Nullable String delay,
      @JsonProperty("deliverAt") @Nullable String deliverAt) {}

  /**
   * @param cursor where the next page begins, null if this was the last
   */
  public record Page(List<MessageView> messages, @Nullable String cursor) {}

  /** Schedules a message. Answers when Kafka has it. */
  @POST
  @RolesAllowed(Role.SCHEDULE)
  @Operation(
      operationId = "schedule",
      summary = "Schedules a message; answers when Kafka has stored it")
  @ApiResponse(
      responseCode = "202",
      description = "Kafka has stored the record",
      content = @Content(schema = @Schema(implementation = Scheduled.class)))
  public Response schedule(@Auth Caller caller, @Nullable ScheduleRequest request) {
    if (request == null) {
      throw Problem.of(Status.BAD_REQUEST, "the body is empty, expected a message to schedule");
    }
    String intake = request.intake() == null ? defaultIntake(caller) : request.intake();
    caller.mustSee(intake);
    if (!intakes.contains(intake)) {
      throw Inputs.wrong("intake", intake, intakes.toString());
    }
    Letter letter = request.letter(intake);
    return accepted(schedule(letter));
  }

  private Written schedule(Letter letter) {
    return desk.schedule(letter, () -> limits.mustTake(letter.topic(), length(letter.value())));
  }

  private static Response accepted(Written written) {
    DelayedMessage message = (DelayedMessage) written.request();
    return Response.status(Status.ACCEPTED)
        .entity(
            new Scheduled(
                written.source().toString(),
                message.id(),
                message.target(),
                RepeatView.due(message)))
        .build();
  }

  private String defaultIntake(Caller caller) {
    return intakes.stream().filter(caller::sees).findFirst().orElse(intakes.get(0));
  }

  /** Lists the messages that are due next, or those that repeat, in the order of delivery. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "upcoming", summary = "Pending messages in the order of delivery")
  public Page next(
      @Auth Caller caller,
      @QueryParam("target") @Nullable String target,
      @Parameter(description = "Only messages that repeat, including far ones")
          @QueryParam("repeating")
          @DefaultValue("false")
          boolean onlyRepeating,
      @QueryParam("dueBefore") @Nullable String dueBefore,
      @QueryParam("limit") @DefaultValue("50") int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    Upcoming.Query query =
        new Upcoming.Query(target, Inputs.before(dueBefore), Inputs.limit(limit));
    List<ShardId> shards = desk.shards(caller);
    Upcoming.Page page =
        onlyRepeating
            ? repeating.page(shards, query, cursor)
            : upcoming.page(shards, query, cursor);
    return new Page(page.found().stream().map(found -> view(found, false)).toList(), page.cursor());
  }

  /** One pending message, by its id or its source. */
  @GET
  @Path("/{reference:.+}")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "message", summary = "One pending message, by its id or its source")
  public MessageView one(
      @Auth Caller caller,
      @PathParam("reference") String reference,
      @QueryParam("value") @DefaultValue("false") boolean value) {
    if (value && !caller.may(Role.OPERATE)) {
      throw Problem.of(Status.FORBIDDEN, "the content needs the role operate");
    }
    return view(desk.find(Reference.parse(reference, intakes), caller), value);
  }

  /** Cancels a message. */
  @DELETE
  @Path("/{reference:.+}")
  @RolesAllowed(Role.SCHEDULE)
  @Operation(operationId = "cancel", summary = "Cancels a message")
  public Done cancel(@Auth Caller caller, @PathParam("reference") String reference) {
    Desk.Asked asked =
        desk.ask(Reference.parse(reference, intakes), caller, DelayHeaders.OP_CANCEL, Map.of());
    return new Done("CANCELLED", source(asked.found()), null);
  }

  /** Gives a message another due time. */
  @PATCH
  @Path("/{reference:.+}")
  @RolesAllowed(Role.SCHEDULE)
  @Operation(operationId = "move", summary = "Gives a message another due time")
  public Done move(
      @Auth Caller caller,
      @PathParam("reference") String reference,
      @Nullable MoveRequest request) {
    Map<String, String> when =
        request == null
            ? Inputs.when(null, null)
            : Inputs.when(request.delay(), request.deliverAt());
    Desk.Asked asked =
        desk.ask(Reference.parse(reference, intakes), caller, DelayHeaders.OP_MOVE, when);
    return new Done("MOVED", source(asked.found()), asked.due());
  }

  /** Delivers a repeating message once more, at once. Its calendar stays as it is. */
  @POST
  @Path("/{reference:.+}/run")
  @RolesAllowed(Role.SCHEDULE)
  @Operation(
      operationId = "run",
      summary = "Delivers a repeating message now, once more; its calendar does not change")
  @ApiResponse(
      responseCode = "202",
      description = "Kafka has stored the record",
      content = @Content(schema = @Schema(implementation = Scheduled.class)))
  public Response run(@Auth Caller caller, @PathParam("reference") String reference) {
    Found found = repeating(reference, caller);
    return accepted(schedule(Letter.extra(found.shard(), found.message())));
  }

  /** Leaves out the occurrences of a repeating message before an instant. */
  @POST
  @Path("/{reference:.+}/pause")
  @RolesAllowed(Role.SCHEDULE)
  @Operation(
      operationId = "pauseMessage",
      summary =
          "Pauses a repeating message until the given time; without a body, for as long as the"
              + " intake allows")
  public Done pause(
      @Auth Caller caller, @PathParam("reference") String reference, @Nullable MoveRequest until) {
    Found found = repeating(reference, caller);
    Map<String, String> when =
        until == null
            ? Map.of(DelayHeaders.DELIVER_AT, Long.toString(desk.latest(found.shard())))
            : Inputs.when(until.delay(), until.deliverAt());
    Desk.Asked asked =
        desk.ask(Reference.parse(reference, intakes), caller, DelayHeaders.OP_SKIP, when);
    return new Done("PAUSED", source(asked.found()), asked.due());
  }

  /** Resumes a repeating message that is paused. */
  @POST
  @Path("/{reference:.+}/resume")
  @RolesAllowed(Role.SCHEDULE)
  @Operation(
      operationId = "resumeMessage",
      summary = "Resumes a paused repeating message at its next instant")
  public Done resume(@Auth Caller caller, @PathParam("reference") String reference) {
    Found found = repeating(reference, caller);
    RepeatView repeat = RepeatView.of(found.message());
    if (repeat == null || repeat.pausedUntil() == null) {
      throw Problem.of(Status.CONFLICT, "NOT_PAUSED", "'%s' is not paused".formatted(reference));
    }
    Map<String, String> now = Map.of(DelayHeaders.DELAY_MS, "0");
    Desk.Asked asked =
        desk.ask(Reference.parse(reference, intakes), caller, DelayHeaders.OP_SKIP, now);
    return new Done("RESUMED", source(asked.found()), null);
  }

  private Found repeating(String reference, Caller caller) {
    Found found = desk.find(Reference.parse(reference, intakes), caller);
    if (!found.message().repeats()) {
      throw Problem.of(
          Status.CONFLICT, "NOT_REPEATING", "'%s' does not repeat".formatted(reference));
    }
    return found;
  }

  private static int length(byte @Nullable [] value) {
    return value == null ? 0 : value.length;
  }

  private MessageView view(Found found, boolean value) {
    return MessageView.of(found, value, clock.millis());
  }

  private static String source(Found found) {
    return found.shard().source(found.message().origin()).toString();
  }
}
