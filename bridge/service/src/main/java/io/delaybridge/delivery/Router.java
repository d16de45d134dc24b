package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to each due message, before anything is sent. Belongs to one loop; the
 * catalogue that it uses is shared.
 */
public final class Router {

  private static final int REMEMBERED = 1_000;
  private static final String ENDS = "; the message does not repeat any more";

  private final TargetRules rules;
  private final TargetCatalog catalog;
  private final CircuitBreaker breaker;
  private final RetryPolicy policy;
  private final RandomGenerator random;
  private final long horizon;
  private final Map<String, Optional<Decision.Dead>> objections = new HashMap<>();

  // Most messages have the same target as the message before.
  private byte[] lastBytes = {};
  private String last = "";

  /**
   * Takes what the decisions depend on.
   *
   * @param horizon in milliseconds; a message that is due later is far, 0 if none is
   */
  public Router(
      TargetRules rules,
      TargetCatalog catalog,
      CircuitBreaker breaker,
      RetryPolicy policy,
      RandomGenerator random,
      long horizon) {
    this.rules = rules;
    this.catalog = catalog;
    this.breaker = breaker;
    this.policy = policy;
    this.random = random;
    this.horizon = horizon;
  }

  /**
   * Decides what happens to the message. Its target must be in the catalogue.
   *
   * @param refusal how Kafka refused the record made from the message before, or null
   * @param now epoch milliseconds
   */
  public Decision decide(DelayedMessage message, @Nullable Refusal refusal, long now) {
    boolean wentWhole = refusal != null && !(refusal.earlier() instanceof Decision.Deliver);
    return message.repeats() && !message.isFar() && !wentWhole
        ? occurrence(message, refusal, now)
        : once(message, refusal, now);
  }

  /**
   * Decides about an occurrence. One that fails here fails as a message of its own, so that the
   * next occurrence still comes. A forbidden target ends the repetition: only another configuration
   * could change that.
   */
  private Decision occurrence(DelayedMessage message, @Nullable Refusal refusal, long now) {
    Decision.Dead objection = objection(targetOf(message));
    if (objection != null) {
      return dead(objection.reason(), objection.detail() + ENDS);
    }
    try {
      Repetition repetition = Repetition.of(message);
      if (repetition.isRequest() || repetition.isMissed(now)) {
        return new Decision.Pass();
      }
    } catch (InvalidRepeatException e) {
      return dead(e.reason(), e.detail() + ENDS);
    }
    Decision decision = once(message, refusal, now);
    return decision instanceof Decision.Deliver ? decision : new Decision.Apart();
  }

  private Decision once(DelayedMessage message, @Nullable Refusal refusal, long now) {
    if (refusal != null) {
      return afterRefusal(message, refusal, now);
    }
    StoredMessage content = message.content();
    if (message.isFar()) {
      return lap(content.farDue(), now);
    }
    if (content.reason() != null) {
      return dead(content.reason(), String.valueOf(content.detail()));
    }
    if (now > content.expiresAt()) {
      return dead(
          Reason.EXPIRED, "its time to live ended %d ms ago".formatted(now - content.expiresAt()));
    }
    String target = targetOf(message);
    Decision objection = objection(target);
    return objection != null || target == null
        ? java.util.Objects.requireNonNull(objection)
        : byState(message, target, now);
  }

  /**
   * Decides where a message goes next that has left the store, or never waits there. It goes home
   * if it is near by now, or if nothing counts as far any more.
   *
   * @param due epoch milliseconds
   * @param now epoch milliseconds
   */
  Decision lap(long due, long now) {
    return horizon > 0 && due - now > horizon ? new Decision.Later(due) : new Decision.Home(due);
  }

  /**
   * The target that the catalogue must know before {@link #decide}, or null if none is needed; of a
   * message that is not far.
   */
  public @Nullable String lookup(DelayedMessage message) {
    boolean stays = message.isMalformed() || message.ask() != null;
    String target = stays ? null : targetOf(message);
    return objection(target) == null ? target : null;
  }

  private @Nullable String targetOf(DelayedMessage message) {
    byte[] own = message.targetBytes();
    if (own == null) {
      return rules.defaultTarget();
    }
    if (!Arrays.equals(own, lastBytes)) {
      last = new String(own, StandardCharsets.UTF_8);
      lastBytes = own;
    }
    return last;
  }

  /**
   * Returns the objection to a target and remembers it: the rules stay the same, and targets are
   * few. Names that producers make up are not remembered for long.
   */
  private Decision.@Nullable Dead objection(@Nullable String target) {
    if (target == null) {
      return rules.objection(null);
    }
    if (objections.size() > REMEMBERED) {
      objections.clear();
    }
    return objections
        .computeIfAbsent(target, name -> Optional.ofNullable(rules.objection(name)))
        .orElse(null);
  }

  private Decision byState(DelayedMessage message, String target, long now) {
    Target state = catalog.get(target);
    if (state instanceof Target.Missing) {
      return failed(message, Reason.UNKNOWN_TARGET, "topic '" + target + "' does not exist", now);
    }
    if (state instanceof Target.Unauthorized) {
      return dead(Reason.UNAUTHORIZED_TARGET, "no access to topic '" + target + "'");
    }
    if (state instanceof Target.Unavailable unavailable) {
      return failed(message, Reason.UNAVAILABLE_TARGET, unavailable.why(), now);
    }
    Integer partition = message.targetPartition();
    if (partition != null && state instanceof Target.Available it && partition >= it.partitions()) {
      return failed(
          message,
          Reason.UNKNOWN_TARGET,
          "topic '%s' has %d partitions, %s is %d"
              .formatted(target, it.partitions(), DelayHeaders.TARGET_PARTITION, partition),
          now);
    }
    if (breaker.isOpen(target)) {
      return failed(
          message, Reason.UNAVAILABLE_TARGET, "an earlier send to '" + target + "' timed out", now);
    }
    return new Decision.Deliver(target, partition);
  }

  private Decision afterRefusal(DelayedMessage message, Refusal refusal, long now) {
    Decision earlier = refusal.earlier();
    if (earlier instanceof Decision.Dead dead) {
      return dead.whole() && refusal.reason() == Reason.RECORD_TOO_LARGE
          ? new Decision.Dead(dead.reason(), dead.detail(), false)
          : new Decision.Hold("the dead-letter topic refuses it: " + refusal.detail());
    }
    boolean isCopy = !(earlier instanceof Decision.Deliver);
    if (isCopy && (refusal.heals() || refusal.reason() == Reason.UNAUTHORIZED_TARGET)) {
      // Nothing is wrong with the message. Only an operator can give back a right on a topic of the
      // bridge.
      return new Decision.Hold("Kafka refuses a copy: " + refusal.detail());
    }
    if (earlier instanceof Decision.Retry retry) {
      return dead(retry.reason(), retry.detail() + "; the intake refused the retry copy");
    }
    if (earlier instanceof Decision.Apart || earlier instanceof Decision.Pass) {
      return dead(refusal.reason(), refusal.detail() + "; the intake refused a copy" + ENDS);
    }
    if (isCopy) {
      return dead(
          refusal.reason(), refusal.detail() + "; Kafka refused the copy that puts it back");
    }
    if (refusal.heals()) {
      return failed(message, refusal.reason(), refusal.detail(), now);
    }
    String size =
        refusal.reason() == Reason.RECORD_TOO_LARGE
            ? "about %d bytes, too many even if compressed; ".formatted(message.bytes())
            : "";
    return dead(refusal.reason(), size + refusal.detail());
  }

  private Decision failed(DelayedMessage message, Reason reason, String detail, long now) {
    int attempt = message.content().attempt();
    if (attempt >= policy.attemptsFor(message)) {
      return attempt == 1
          ? dead(reason, detail)
          : dead(
              Reason.ATTEMPTS_EXHAUSTED,
              "%d attempts, the last one: %s: %s".formatted(attempt, reason, detail));
    }
    long due = now + policy.backoffMillis(attempt, random);
    return due > message.content().expiresAt()
        ? dead(Reason.EXPIRED, "no time for another attempt; %s: %s".formatted(reason, detail))
        : new Decision.Retry(reason, detail, due);
  }

  private static Decision.Dead dead(Reason reason, String detail) {
    return new Decision.Dead(reason, detail, true);
  }
}
