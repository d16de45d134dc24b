package io.delaybridge.delivery;

import io.delaybridge.schemas.Reason;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The targets that the operator allows.
 *
 * @param allowed a target must match one of these as a whole
 * @param control topics of the bridge itself, which are never a target
 * @param defaultTarget for messages that name none, or null
 */
public record TargetRules(
    List<Pattern> allowed, Set<String> control, @Nullable String defaultTarget) {

  /** Returns why the target must not be used, or null if it may be used. */
  Decision.@Nullable Dead objection(@Nullable String target) {
    if (target == null) {
      return dead(Reason.NO_TARGET, "no delay-target-topic, and no default target is configured");
    }
    if (control.contains(target) || target.startsWith("__")) {
      return dead(
          Reason.CONTROL_TOPIC, "'" + target + "' belongs to the bridge or to Kafka itself");
    }
    if (allowed.stream().noneMatch(pattern -> pattern.matcher(target).matches())) {
      return dead(Reason.FORBIDDEN_TARGET, "'" + target + "' matches none of targets.allowed");
    }
    return null;
  }

  private static Decision.Dead dead(Reason reason, String detail) {
    return new Decision.Dead(reason, detail, true);
  }
}
