package io.delaybridge.admin.access;

import java.util.Locale;

/** The reasons for which a call is refused. */
public enum Refusal {
  /** It shows no token. */
  NO_TOKEN,
  /** It shows one that is not known, or has expired. */
  WRONG_TOKEN,
  /** Its token does not have the role. */
  ROLE,
  /** Its token is not for that intake. */
  SCOPE,
  /** Its body is too large. */
  TOO_LARGE,
  /** There were too many like it. */
  RATE,
  /** A page of another site made a browser send it. */
  CROSS_SITE,
  /** It was sent to a name that is not this machine's. */
  HOST;

  /** The label in the metric. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
