package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the targets that messages may go to.
 *
 * @param allowed a target must match one of these as a whole
 */
public record TargetsConfig(List<Pattern> allowed) {

  /** Defaults and checks. */
  @JsonCreator
  public static TargetsConfig of(@JsonProperty("allowed") @Nullable List<String> allowed) {
    List<String> given = allowed == null ? List.of(".*") : allowed;
    return new TargetsConfig(Check.patterns("targets.allowed", given));
  }
}
