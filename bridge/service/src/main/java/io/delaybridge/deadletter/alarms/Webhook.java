package io.delaybridge.deadletter.alarms;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Posts an alert as JSON: reason, count, windowMillis and the latest source. */
public final class Webhook implements Predicate<AlertClaim> {

  private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int REDIRECT = 300;

  private final URI uri;
  private final ObjectMapper json = new ObjectMapper();

  /** Takes where to post. */
  public Webhook(URI uri) {
    this.uri = uri;
  }

  private record Body(String reason, int count, long windowMillis, String latest) {}

  /** Posts the alert. Returns false, and logs it, if it was not accepted within a few seconds. */
  @Override
  public boolean test(AlertClaim claim) {
    try {
      String body =
          json.writeValueAsString(
              new Body(claim.reason(), claim.count(), claim.windowMillis(), claim.latest()));
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      // A client of its own: alerts are rare, and an idle client would keep a thread.
      CompletableFuture<HttpResponse<Void>> answer =
          HttpClient.newBuilder()
              .connectTimeout(TIMEOUT)
              .build()
              .sendAsync(request, HttpResponse.BodyHandlers.discarding());
      int status = whole(answer).statusCode();
      if (status >= OK && status < REDIRECT) {
        return true;
      }
      LOG.warn("The webhook {} answered {} to an alert for {}", host(), status, claim.reason());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers are always JSON", e);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The webhook {} did not get an alert for {}: {}", host(), claim.reason(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("The bridge stops before it has sent an alert for {}", claim.reason());
    }
    return false;
  }

  /** The time-out of a request ends when its answer begins. */
  private static <T> T whole(CompletableFuture<T> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      answer.cancel(true);
    }
  }

  /** The rest of the address often holds a secret. */
  private String host() {
    return String.valueOf(uri.getHost());
  }
}
