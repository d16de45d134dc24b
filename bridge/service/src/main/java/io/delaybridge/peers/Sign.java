package io.delaybridge.peers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sign of life of a process: that it lives, and what has to be ended if it dies.
 *
 * @param beat counts the signs from 1, so that each differs from the last one
 * @param members {@code group.instance.id} of each of its consumers
 * @param transactionalIds the ids under which it may have open transactions
 * @param clockAhead by how many milliseconds its clock is ahead of that of the store; null if it
 *     does not know, or is of a release that does not say
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Sign(
    long beat, List<String> members, List<String> transactionalIds, @Nullable Long clockAhead) {

  private static final ObjectMapper JSON = new ObjectMapper();

  String encode() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a sign is always JSON", e);
    }
  }

  /** Returns empty if the text is not a sign, or is one of a release that has other signs. */
  static Optional<Sign> parse(String text) {
    try {
      Sign sign = JSON.readValue(text, Sign.class);
      return sign.members == null || sign.transactionalIds == null
          ? Optional.empty()
          : Optional.of(sign);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
