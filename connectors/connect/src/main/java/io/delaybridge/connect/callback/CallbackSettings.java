package io.delaybridge.connect.callback;

import io.delaybridge.connect.http.Signature;
import io.delaybridge.connect.http.UrlRules;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of callbacks.
 *
 * @param url for records without their own; empty if there is none
 * @param rules which URLs may be called
 * @param contentType of the body
 * @param signature null if nothing is signed
 * @param maxAttempts maximum number of calls for one message
 * @param backoff between them
 * @param topics where follow-ups go
 */
record CallbackSettings(
    String url,
    UrlRules rules,
    String contentType,
    @Nullable Signature signature,
    int maxAttempts,
    Backoff backoff,
    Topics topics) {

  /** The topics of the bridge. */
  record Topics(String intake, String deadLetter) {

    /** Returns both, or one if they are the same. */
    Set<String> all() {
      return Stream.of(intake, deadLetter).collect(Collectors.toUnmodifiableSet());
    }
  }
}
