package io.delaybridge.connect.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.RedirectProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.client.transport.HttpClientConnectionFactory;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.ClientConnectionFactoryOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts callbacks and reports their outcomes. It follows no redirects, keeps no cookies, answers no
 * challenges, decompresses nothing and discards response bodies. It connects only to addresses that
 * the {@link AddressGuard} has checked. ADR 11 explains why it is not the JDK's client.
 */
public final class CallbackClient implements AutoCloseable {

  private static final int THREADS = 16;
  private static final int MOST_LOOKUPS = 256;
  private static final long IDLE_HOST_MS = 60_000;
  private static final Logger LOG = LoggerFactory.getLogger(CallbackClient.class);
  private static final int LONGEST_DETAIL = 300;

  private final HttpClient http;
  private final HttpSettings settings;
  private final InstantSource clock;

  CallbackClient(HttpClient http, HttpSettings settings, InstantSource clock) {
    this.http = http;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Starts a client.
   *
   * @throws IllegalStateException if it cannot be started
   */
  public static CallbackClient start(
      HttpSettings settings, AddressGuard guard, InstantSource clock) {
    return start(settings, guard, InetAddress::getAllByName, clock);
  }

  static CallbackClient start(
      HttpSettings settings,
      AddressGuard guard,
      GuardedResolver.Lookup lookup,
      InstantSource clock) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("delay-callback");
    threads.setDaemon(true);
    ClientConnector connector = new ClientConnector();
    connector.setSelectors(1);
    connector.setExecutor(threads);
    connector.setSslContextFactory(tls(settings.trust()));
    HttpClient http =
        new HttpClient(
            new HttpClientTransportDynamic(
                connector,
                new ClientConnectionFactoryOverHTTP2.HTTP2(new HTTP2Client(connector)),
                HttpClientConnectionFactory.HTTP11));
    http.setExecutor(threads);
    // A name server that does not answer delays only the lookups, not the answers of other hosts.
    QueuedThreadPool lookups =
        new QueuedThreadPool(Math.min(settings.concurrency(), MOST_LOOKUPS), 0);
    lookups.setReservedThreads(0);
    lookups.setName("delay-callback-lookup");
    lookups.setDaemon(true);
    http.addBean(lookups);
    http.setSocketAddressResolver(new GuardedResolver(guard, lookup, lookups));
    http.setConnectTimeout(settings.connectTimeout().toMillis());
    http.setIdleTimeout(2 * settings.timeout().toMillis());
    http.setDestinationIdleTimeout(IDLE_HOST_MS);
    http.setMaxConnectionsPerDestination(settings.concurrency());
    http.setMaxRequestsQueuedPerDestination(settings.concurrency());
    http.setFollowRedirects(false);
    http.setHttpCookieStore(new HttpCookieStore.Empty());
    http.setUserAgentField(null);
    http.setDefaultRequestContentType(null);
    try {
      http.start();
    } catch (Exception e) {
      keepInterrupt(e);
      throw new IllegalStateException("the HTTP client cannot be started: " + e.getMessage(), e);
    }
    http.getContentDecoderFactories().clear();
    http.getProtocolHandlers().remove(RedirectProtocolHandler.NAME);
    http.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
    http.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
    return new CallbackClient(http, settings, clock);
  }

  private static SslContextFactory.Client tls(@Nullable KeyStore trust) {
    SslContextFactory.Client tls = new SslContextFactory.Client();
    if (trust != null) {
      tls.setTrustStore(trust);
    }
    return tls;
  }

  /**
   * Posts a body. The deadline is this class's own: Jetty before 12.1.10 forgets requests, together
   * with their timeouts, if a connection breaks at a bad moment (jetty.project#14654), and a call
   * without an outcome would hold up its partition for ever.
   *
   * @param headers names and values; a value must be visible ASCII
   * @param done called once, on a thread of this client, which it must not block
   */
  public void post(URI uri, Map<String, String> headers, byte[] body, Consumer<Outcome> done) {
    Request request =
        http.newRequest(uri)
            .method(HttpMethod.POST)
            .headers(fields -> headers.forEach(fields::put))
            .body(new BytesRequestContent(body));
    HttpVersion version = version(uri);
    if (version != null) {
      request.version(version);
    }
    AtomicBoolean over = new AtomicBoolean();
    Consumer<Outcome> first =
        outcome -> {
          if (over.compareAndSet(false, true)) {
            done.accept(outcome);
          }
        };
    try {
      Scheduler.Task deadline =
          http.getScheduler()
              .schedule(() -> late(request, first), settings.timeout().toMillis(), MILLISECONDS);
      request.send(
          result -> {
            // Before the deadline goes: without an outcome, the deadline has to end this call.
            Outcome outcome = outcome(result);
            deadline.cancel();
            first.accept(outcome);
          });
    } catch (RuntimeException | Error e) {
      // It may be queued all the same. The deadline stays, and ends that.
      first.accept(unforeseen(e));
    }
  }

  private void late(Request request, Consumer<Outcome> first) {
    TimeoutException late =
        new TimeoutException("no answer within %d ms".formatted(settings.timeout().toMillis()));
    try {
      var unused = request.abort(late);
    } catch (RuntimeException | Error e) {
      LOG.warn("A call that got no answer in time cannot be aborted", e);
    } finally {
      first.accept(new Outcome.Failed(detail(late), null));
    }
  }

  private @Nullable HttpVersion version(URI uri) {
    return switch (settings.version()) {
      case HTTP_1_1 -> HttpVersion.HTTP_1_1;
      case HTTP_2 -> HttpVersion.HTTP_2;
      // Without TLS, there is no negotiation.
      case AUTO -> "http".equalsIgnoreCase(uri.getScheme()) ? HttpVersion.HTTP_1_1 : null;
    };
  }

  private Outcome outcome(Result result) {
    try {
      return read(result);
    } catch (RuntimeException | Error e) {
      return unforeseen(e);
    }
  }

  private static Outcome unforeseen(Throwable e) {
    LOG.warn("A call failed for a reason that is not the receiver's", e);
    return new Outcome.Failed(detail(e), null);
  }

  private Outcome read(Result result) {
    Response response = result.getResponse();
    // An answer counts even if the request was not read to its end, as with 413.
    if (result.getResponseFailure() == null && response.getStatus() > 0) {
      String after = response.getHeaders().get(HttpHeader.RETRY_AFTER);
      return Outcome.ofStatus(response.getStatus(), RetryAfter.of(after, clock.instant()));
    }
    Throwable failure = result.getFailure();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ForbiddenAddressException) {
        return new Outcome.Forbidden(String.valueOf(cause.getMessage()));
      }
    }
    LOG.debug("A call failed", failure);
    return new Outcome.Failed(detail(failure), null);
  }

  /** Other exceptions may contain the address, and many people read the details of dead letters. */
  private static String detail(@Nullable Throwable failure) {
    boolean telling =
        failure instanceof SSLException
            || failure instanceof TimeoutException
            || failure instanceof SocketTimeoutException;
    String detail =
        telling || failure == null ? String.valueOf(failure) : failure.getClass().getName();
    return detail.substring(0, Math.min(LONGEST_DETAIL, detail.length()));
  }

  /** Ends calls in progress; their outcomes mean nothing. */
  @Override
  public void close() {
    try {
      http.stop();
    } catch (Exception e) {
      keepInterrupt(e);
      throw new IllegalStateException("the HTTP client cannot be stopped", e);
    }
  }

  private static void keepInterrupt(Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }
}
