package io.delaybridge.deadletter.alarms;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of alerts: when to raise one, and where to send it.
 *
 * @param threshold dead letters of one reason within the window; 0 for no alerts
 * @param window time in which they count together
 * @param cooldown pause after an alert, for its reason
 * @param webhook where to post it, or null to log it only
 */
public record AlarmSettings(
    int threshold, Duration window, Duration cooldown, @Nullable URI webhook) {

  boolean isOn() {
    return threshold > 0;
  }
}
