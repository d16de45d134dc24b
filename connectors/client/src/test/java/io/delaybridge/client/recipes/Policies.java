package io.delaybridge.client.recipes;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import java.time.Duration;

final class Policies {

  private Policies() {}

  static RetryLater billing() {
    // snippet: policy
    RetryLater later =
        RetryLater.with(new Backoff(8, Duration.ofSeconds(5), Duration.ofMinutes(10)))
            .hopeless(NumberFormatException.class)
            .retryTopic("orders.billing.retry");
    // end
    return later;
  }
}
