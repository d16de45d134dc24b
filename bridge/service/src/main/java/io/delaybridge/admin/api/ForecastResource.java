package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.FarForecast;
import io.delaybridge.admin.desk.FarForecast.Read;
import io.delaybridge.admin.desk.Waiting;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.Laps;
import io.delaybridge.store.PendingView;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Forecasts how many messages become due. */
@Path("/v1/forecast")
@Produces(MediaType.APPLICATION_JSON)
public final class ForecastResource {

  static final int MAX_BUCKETS = 240;
  // Not Long.MAX_VALUE: it is above the last due time, and no double has that value.
  private static final long END = 1L << 52;

  private final Desk desk;
  private final PendingView view;
  private final Waiting waiting;
  private final FarForecast farForecast;
  private final InstantSource clock;

  /** Takes what knows the shards and what counts. */
  public ForecastResource(
      Desk desk, PendingView view, Waiting waiting, FarForecast farForecast, InstantSource clock) {
    this.desk = desk;
    this.view = view;
    this.waiting = waiting;
    this.farForecast = farForecast;
    this.clock = clock;
  }

  /**
   * @param from epoch milliseconds at which the first bucket begins
   * @param overdue messages due before that
   * @param buckets messages due in each, from the first to the last
   * @param later messages due after the last
   * @param far messages in later topics
   * @param sampled how many of these were read for their due times: all far ones are in {@code
   *     buckets} and {@code later} in proportion; 0 if they are in neither
   */
  public record Forecast(
      long from,
      long widthMillis,
      long overdue,
      List<Long> buckets,
      long later,
      long far,
      int sampled) {}

  /** Messages by due time, from now on. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "forecast", summary = "Messages by due time, from now on")
  public Forecast forecast(
      @Auth Caller caller,
      @QueryParam("buckets") @DefaultValue("60") int buckets,
      @QueryParam("width") @DefaultValue("PT1M") String width,
      @Parameter(description = "Count far messages in the buckets, estimated from some of them")
          @QueryParam("far")
          @DefaultValue("false")
          boolean far) {
    int count = Inputs.between("buckets", buckets, 1, MAX_BUCKETS);
    long millis = Inputs.millis("width", width);
    if (millis < 1_000 || millis > 365 * 86_400_000L) {
      throw Inputs.wrong("width", width, "PT1S to P365D");
    }
    long from = clock.millis();
    List<Long> bounds = new ArrayList<>(List.of(0L));
    for (int i = 0; i <= count; i++) {
      bounds.add(from + i * millis);
    }
    bounds.add(END);
    List<ShardId> shards = desk.shards(caller);
    List<Long> counts = Desk.store(() -> view.counts(shards, bounds));
    Map<ShardId, Laps> later = waiting.later(shards);
    List<Read> reads = far ? farForecast.read(later) : List.of();
    double[] more = new double[count + 2];
    for (Read read : reads) {
      long bucket = Math.floorDiv(read.due() - from, millis);
      more[(int) Math.max(0, Math.min(bucket, count) + 1)] += read.messages();
    }
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      sums.add(counts.get(i) + Math.round(more[i]));
    }
    return new Forecast(
        from,
        millis,
        sums.get(0),
        sums.subList(1, count + 1),
        sums.get(count + 1),
        later.values().stream().mapToLong(Laps::copies).sum(),
        reads.size());
  }
}
