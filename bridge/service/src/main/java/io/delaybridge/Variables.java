package io.delaybridge;

import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import org.apache.commons.text.TextStringBuilder;
import org.apache.commons.text.lookup.StringLookup;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the variables of a configuration file. As in a shell, {@code ${NAME:-value}} is the
 * value if the variable is not set, and also if it is empty.
 */
final class Variables extends EnvironmentVariableSubstitutor {

  Variables(StringLookup environment) {
    super(false);
    setVariableResolver(environment);
  }

  @Override
  protected @Nullable String resolveVariable(
      String name, TextStringBuilder text, int begin, int end) {
    String value = super.resolveVariable(name, text, begin, end);
    return "".equals(value) && text.substring(begin, end).contains(":-") ? null : value;
  }
}
