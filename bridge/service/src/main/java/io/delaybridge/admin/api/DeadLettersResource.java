package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.api.DeadLetterViews.Counts;
import io.delaybridge.admin.api.DeadLetterViews.DryRun;
import io.delaybridge.admin.api.DeadLetterViews.Letter;
import io.delaybridge.admin.api.DeadLetterViews.Page;
import io.delaybridge.admin.api.DeadLetterViews.Replayed;
import io.delaybridge.admin.api.DeadLetterViews.Started;
import io.delaybridge.deadletter.DeadLetters;
import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.index.LetterFilter;
import io.delaybridge.deadletter.letters.Content;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.deadletter.replay.HeaderChanges;
import io.delaybridge.deadletter.replay.Matches;
import io.delaybridge.deadletter.replay.Refusal;
import io.delaybridge.deadletter.replay.Replay;
import io.delaybridge.message.Source;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists dead letters, replays them and marks them as handled. Every instance answers for all of
 * them.
 */
@Path("/v1/deadletters")
@Produces(MediaType.APPLICATION_JSON)
public final class DeadLettersResource {

  private static final String ONE =
      "{topic}/{partition: [0-9]{1,9}}/{offset: " + LetterParam.OFFSET + "}";
  private static final int DEFAULT_RATE = 100;
  private static final int MAX_RATE = 10_000;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private final DeadLetters deadLetters;
  private final List<String> intakes;
  private final InstantSource clock;

  /** Takes the dead letters, the names of the intakes, and the wall clock. */
  public DeadLettersResource(DeadLetters deadLetters, List<String> intakes, InstantSource clock) {
    this.deadLetters = deadLetters;
    this.intakes = List.copyOf(intakes);
    this.clock = clock;
  }

  /** The filter of a list. */
  public static final class Filter {
    @QueryParam("reason")
    public @Nullable String reason;

    @QueryParam("target")
    public @Nullable String target;

    @QueryParam("from")
    public @Nullable String from;

    @QueryParam("to")
    public @Nullable String to;

    @QueryParam("state")
    public @Nullable String state;

    @QueryParam("intake")
    public @Nullable String intake;
  }

  /**
   * Which dead letters to replay.
   *
   * @param dryRun required, so that nobody replays by leaving it out
   */
  public record ReplayMany(
      @Nullable String reason,
      @Nullable String target,
      @Nullable String from,
      @Nullable String to,
      @Nullable String intake,
      @Nullable Boolean dryRun,
      @Nullable Integer perSecond) {}

  /**
   * How to change the message.
   *
   * @param headers take the place of all that have their names; in an object, null removes one
   * @param removeHeaders names of headers to remove
   */
  public record ReplayOne(@Nullable GivenHeaders headers, @Nullable List<String> removeHeaders) {

    /**
     * @throws IllegalArgumentException if a name is null
     */
    public ReplayOne {
      if (removeHeaders != null && removeHeaders.stream().anyMatch(Objects::isNull)) {
        throw new IllegalArgumentException("removeHeaders has null, allowed: names of headers");
      }
    }

    private HeaderChanges changes() {
      GivenHeaders given = headers == null ? GivenHeaders.NONE : headers;
      Set<String> removed = new HashSet<>(given.nulls());
      removed.addAll(removeHeaders == null ? List.of() : removeHeaders);
      return new HeaderChanges(removed, given.pairs());
    }
  }

  /** The dead letters that match, newest first. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "deadLetters", summary = "Dead letters, the newest first")
  public Page list(
      @Auth Caller caller,
      @BeanParam Filter filter,
      @QueryParam("limit") @DefaultValue("50") int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    LetterFilter wanted =
        new LetterFilter(
            filter.reason,
            filter.target,
            Inputs.optional("from", filter.from),
            Inputs.optional("to", filter.to),
            state(filter.state),
            intake(caller, filter.intake),
            caller::sees);
    try {
      Catalog.Page page = deadLetters.catalog().list(wanted, Inputs.limit(limit), cursor);
      return new Page(
          page.items().stream().map(item -> DeadLetterViews.letter(item, null)).toList(),
          page.cursor());
    } catch (IllegalArgumentException e) {
      throw Problem.of(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The same intake: one of this bridge, or one that was and has left dead letters. Any other would
   * only look as if it had none.
   */
  private @Nullable String intake(Caller caller, @Nullable String intake) {
    if (intake == null) {
      return null;
    }
    caller.mustSee(intake);
    LetterFilter any = new LetterFilter(null, null, null, null, null, intake, topic -> true);
    if (!intakes.contains(intake) && deadLetters.catalog().list(any, 1, null).items().isEmpty()) {
      throw Inputs.wrong(
          "intake", intake, String.join(", ", intakes.stream().filter(caller::sees).toList()));
    }
    return intake;
  }

  private static Mark.@Nullable State state(@Nullable String text) {
    try {
      return text == null ? null : Mark.State.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw Inputs.wrong("state", String.valueOf(text), "NEW, REPLAYED or HANDLED");
    }
  }

  /** How many died in each window, by reason and target; without {@code from}, the last hour. */
  @GET
  @Path("counts")
  @RolesAllowed(Role.READ)
  @Operation(
      operationId = "deadLetterCounts",
      summary = "Number of dead letters by reason and target")
  public Counts counts(
      @Auth Caller caller,
      @QueryParam("window") @DefaultValue("PT1M") String window,
      @QueryParam("from") @Nullable String from) {
    long width = Inputs.millis("window", window);
    if (width < MINUTE || width > DAY || width % MINUTE != 0) {
      throw Inputs.wrong("window", window, "whole minutes, PT1M to P1D");
    }
    Long given = Inputs.optional("from", from);
    long since = given == null ? clock.millis() - HOUR : given;
    return new Counts(width, deadLetters.catalog().counts(since, width, caller::sees));
  }

  /** One dead letter, by its source, with its content if asked for. */
  @GET
  @Path(ONE)
  @RolesAllowed(Role.READ)
  @Operation(operationId = "deadLetter", summary = "One dead letter, by its source")
  public Letter one(
      @Auth Caller caller, @BeanParam LetterParam source, @QueryParam("value") boolean value) {
    Catalog.Item item = find(caller, source);
    if (!value) {
      return DeadLetterViews.letter(item, null);
    }
    if (!caller.may(Role.OPERATE)) {
      throw Problem.of(Status.FORBIDDEN, "the content needs the role " + Role.OPERATE);
    }
    Content content =
        deadLetters
            .contents()
            .content(item.letter())
            .orElseThrow(
                () ->
                    Problem.of(
                        Status.GONE, "the content of " + source + " was deleted from its topic"));
    return DeadLetterViews.letter(item, content);
  }

  private Catalog.Item find(Caller caller, LetterParam source) {
    Source wanted = source.source();
    caller.mustSee(wanted.topic());
    return deadLetters
        .catalog()
        .find(wanted)
        .orElseThrow(() -> Problem.of(Status.NOT_FOUND, "there is no dead letter " + wanted));
  }

  /** Puts one back on its intake, due at once. */
  @POST
  @Path(ONE + "/replay")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "replay", summary = "Replays a dead letter: puts it back on its intake")
  @ApiResponse(
      responseCode = "202",
      description = "The message is in the intake",
      content =
          @io.swagger.v3.oas.annotations.media.Content(
              schema = @Schema(implementation = Replayed.class)))
  public Response replay(
      @Auth Caller caller,
      @BeanParam LetterParam source,
      @QueryParam("force") boolean force,
      @Nullable ReplayOne body) {
    Source wanted = find(caller, source).letter().source();
    HeaderChanges changes = (body == null ? new ReplayOne(null, null) : body).changes();
    Replay.Result result =
        deadLetters.replay().replay(wanted, new Replay.Order(force, changes, caller.name()));
    if (result instanceof Replay.Replayed replayed) {
      return Response.accepted(new Replayed(replayed.source().toString(), replayed.replays()))
          .build();
    }
    Refusal refusal = ((Replay.NotReplayed) result).refusal();
    throw Problem.of(status(refusal.code()), refusal.code().name(), refusal.text());
  }

  private static Status status(Refusal.Code code) {
    return switch (code) {
      case NOT_FOUND -> Status.NOT_FOUND;
      case GONE -> Status.GONE;
      case BAD_HEADERS -> Status.BAD_REQUEST;
      case ALREADY, LOOP, MALFORMED, NOT_AN_INTAKE, REFUSED -> Status.CONFLICT;
    };
  }

  /** Says how many match, or replays them in the background. */
  @POST
  @Path("replay")
  @RolesAllowed(Role.OPERATE)
  @Operation(
      operationId = "replayMany",
      summary = "Counts the dead letters that a replay of many would take, or starts it")
  @ApiResponse(
      responseCode = "200",
      description = "The number of dead letters, for a dry run",
      content =
          @io.swagger.v3.oas.annotations.media.Content(
              schema = @Schema(implementation = DryRun.class)))
  @ApiResponse(
      responseCode = "202",
      description = "The replay has started",
      content =
          @io.swagger.v3.oas.annotations.media.Content(
              schema = @Schema(implementation = Started.class)))
  public Response replayMany(@Auth Caller caller, @Nullable ReplayMany body) {
    if (body == null || body.dryRun() == null) {
      throw Problem.of(Status.BAD_REQUEST, "dryRun is missing, allowed: true or false");
    }
    int perSecond =
        Inputs.between(
            "perSecond", body.perSecond() == null ? DEFAULT_RATE : body.perSecond(), 1, MAX_RATE);
    LetterFilter filter =
        new LetterFilter(
            body.reason(),
            body.target(),
            bound("from", body.from()),
            bound("to", body.to()),
            null,
            intake(caller, body.intake()),
            caller::sees);
    Matches matches = deadLetters.jobs().matches(filter);
    int count = matches.letters().size();
    if (body.dryRun()) {
      return Response.ok(
              new DryRun(count, matches.malformed(), matches.looping(), matches.foreign()))
          .build();
    }
    ReplayJob job =
        deadLetters
            .jobs()
            .start(matches, perSecond, caller.name())
            .orElseThrow(
                () ->
                    Problem.of(
                        Status.CONFLICT,
                        "BUSY",
                        "another replay is still running on this instance"));
    return Response.accepted(
            new Started(
                job.job(), count, matches.malformed(), matches.looping(), matches.foreign()))
        .build();
  }

  /** An empty text is an error: it may be a variable that was not set, and would mean all. */
  private static @Nullable Long bound(String name, @Nullable String text) {
    return text == null ? null : Inputs.instant(name, text);
  }

  /** Marks one as handled; nothing changes if something was done about it before. */
  @DELETE
  @Path(ONE)
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "handled", summary = "Marks a dead letter as handled")
  public void handled(@Auth Caller caller, @BeanParam LetterParam source) {
    Source wanted = find(caller, source).letter().source();
    if (!deadLetters.replay().handled(wanted, caller.name())) {
      throw Problem.of(Status.NOT_FOUND, "there is no dead letter " + wanted);
    }
  }
}
