package io.delaybridge.deadletter.alarms;

import io.delaybridge.deadletter.letters.DeadLetter;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alert when a reason becomes frequent: once for all instances, and then not again for a
 * while. An instance that sees the threshold crossed writes a claim to the marks. All instances
 * read the claims in the same order, so they agree on whose it was.
 *
 * <p>An executor writes the claim and calls the webhook, which may take long.
 */
public final class Alarm {

  private static final Logger LOG = LoggerFactory.getLogger(Alarm.class);

  private final AlarmSettings settings;
  private final String instance;
  private final InstantSource clock;
  private final Executor executor;
  private final Consumer<AlertClaim> claims;
  private final Predicate<AlertClaim> webhook;

  /** When the last claim for each reason was made; for one from the future, when it was read. */
  private final Map<String, Long> last = new ConcurrentHashMap<>();

  private final Map<String, AlertClaim> pending = new ConcurrentHashMap<>();
  private final Map<String, AlertClaim> unsent = new ConcurrentHashMap<>();

  /**
   * @param instance the name of this process
   * @param executor throws a RejectedExecutionException if too much waits, and anything if there is
   *     no thread
   * @param claims writes a claim to the marks; throws a RuntimeException if Kafka does not take it
   * @param webhook tells somebody, false if that failed
   */
  public Alarm(
      AlarmSettings settings,
      String instance,
      InstantSource clock,
      Executor executor,
      Consumer<AlertClaim> claims,
      Predicate<AlertClaim> webhook) {
    this.settings = settings;
    this.instance = instance;
    this.clock = clock;
    this.executor = executor;
    this.claims = claims;
    this.webhook = webhook;
  }

  /**
   * Takes note of a dead letter; called by the thread that indexes.
   *
   * @param count how many with its reason there were in the window, this one included
   */
  public void died(DeadLetter letter, int count) {
    long now = clock.millis();
    if (!settings.isOn()
        || count < settings.threshold()
        || letter.at() <= now - settings.window().toMillis()) {
      return;
    }
    AlertClaim retry = unsent.remove(letter.reason());
    // An older one is in the log; what happens now is claimed anew.
    if (retry != null && isCovered(retry.at(), now)) {
      submit(retry, () -> tell(retry), () -> unsent.put(retry.reason(), retry));
    }
    Long before = last.get(letter.reason());
    if (before != null && isCovered(before, now)) {
      return;
    }
    AlertClaim claim =
        new AlertClaim(
            instance,
            now,
            letter.reason(),
            count,
            settings.window().toMillis(),
            letter.source().toString());
    if (claim.equals(
        pending.compute(letter.reason(), (reason, open) -> isOpen(open, now) ? open : claim))) {
      submit(claim, () -> claim(claim), () -> pending.remove(claim.reason(), claim));
    }
  }

  /** An older claim was lost: compacted away before this instance could read it again. */
  private boolean isOpen(@Nullable AlertClaim claim, long now) {
    return claim != null && isCovered(claim.at(), now);
  }

  /** Also if a clock was set back meanwhile. */
  private boolean isCovered(long before, long at) {
    return Math.abs(at - before) < settings.cooldown().toMillis();
  }

  private void claim(AlertClaim claim) {
    try {
      claims.accept(claim);
    } catch (RuntimeException | Error e) {
      pending.remove(claim.reason(), claim);
      LOG.warn(
          "An alert for {} dead letters with {} was not raised, because it cannot be recorded: {}",
          claim.count(),
          claim.reason(),
          e.toString());
    }
  }

  /** Takes note of a claim on the marks topic; called by the thread that indexes. */
  public void claimed(AlertClaim claim) {
    long at = Math.min(claim.at(), clock.millis());
    Long before = last.get(claim.reason());
    boolean mine = pending.remove(claim.reason(), claim);
    if (before != null && isCovered(before, at)) {
      return;
    }
    // What covers nothing any more need not be kept: reasons may be made up.
    last.values().removeIf(each -> !isCovered(each, at));
    unsent.values().removeIf(each -> !isCovered(each.at(), at));
    last.put(claim.reason(), at);
    // A claim that is only read again after a restart of the index is not pending any more.
    if (mine) {
      LOG.warn(
          "{} dead letters with {} within {} s (threshold {}), the latest is {}",
          claim.count(),
          claim.reason(),
          claim.windowMillis() / 1000,
          settings.threshold(),
          claim.latest());
      submit(
          claim,
          () -> {
            if (!tell(claim)) {
              unsent.put(claim.reason(), claim);
            }
          },
          () -> unsent.put(claim.reason(), claim));
    }
  }

  private boolean tell(AlertClaim claim) {
    try {
      return webhook.test(claim);
    } catch (RuntimeException | Error e) {
      LOG.warn("An alert for {} was not sent", claim.reason(), e);
      return false;
    }
  }

  /** Has it done later. What finds no room is done with the next dead letter of the reason. */
  private void submit(AlertClaim claim, Runnable task, Runnable again) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      again.run();
      LOG.warn(
          "An alert for {} was put off, because too many wait to be sent, or the bridge ends",
          claim.reason());
    } catch (RuntimeException | Error e) {
      again.run();
      LOG.warn("An alert for {} was put off, because it has no thread", claim.reason(), e);
    }
  }
}
