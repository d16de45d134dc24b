package io.delaybridge.connect.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.connect.http.HttpSettings.Version;
import io.delaybridge.connect.it.Receiver;
import io.delaybridge.connect.it.Receiver.Answer;
import io.delaybridge.connect.it.Receiver.Call;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a real server. */
class CallbackClientTest {

  private static final AddressGuard STRICT = new AddressGuard(List.of());
  private static final AddressGuard LOOPBACK = new AddressGuard(List.of(Cidr.of("127.0.0.1")));

  @TempDir Path dir;

  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Queue<String> lookups = new ConcurrentLinkedQueue<>();
  private volatile Answer answer = Answer.of(200);
  private final Receiver receiver = new Receiver(this::answer);
  private @Nullable CallbackClient client;

  private Answer answer(Call call) {
    calls.add(call);
    return answer;
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
    }
    receiver.close();
  }

  /** A name service that knows one name, unknown to the real one. */
  private InetAddress[] lookup(String host) throws UnknownHostException {
    lookups.add(host);
    if (host.equals("made-up.test")) {
      return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1})};
    }
    throw new UnknownHostException(host);
  }

  private Outcome post(String url, Version version, AddressGuard guard, @Nullable KeyStore trust)
      throws InterruptedException {
    HttpSettings settings =
        new HttpSettings(version, 1, Duration.ofSeconds(2), Duration.ofSeconds(2), trust);
    CallbackClient started =
        CallbackClient.start(settings, guard, this::lookup, InstantSource.system());
    client = started;
    BlockingQueue<Outcome> outcomes = new ArrayBlockingQueue<>(2);
    started.post(URI.create(url), Map.of("delay-id", "a"), "body".getBytes(UTF_8), outcomes::add);
    Outcome outcome = outcomes.poll(20, TimeUnit.SECONDS);
    assertThat(outcome).isNotNull();
    return outcome;
  }

  private Outcome post(AddressGuard guard) throws InterruptedException {
    return post("http://made-up.test:" + receiver.port() + "/a", Version.AUTO, guard, null);
  }

  @ParameterizedTest
  @CsvSource({"AUTO, HTTP/1.1", "HTTP_1_1, HTTP/1.1", "HTTP_2, HTTP/2.0"})
  void postsTheBodyAndTheHeaders(Version version, String protocol) throws Exception {
    String url = "http://made-up.test:" + receiver.port() + "/a?b=c";

    assertThat(post(url, version, LOOPBACK, null)).isEqualTo(new Outcome.Accepted());

    assertThat(calls)
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.protocol()).isEqualTo(protocol);
              assertThat(call.path()).isEqualTo("/a");
              assertThat(call.text()).isEqualTo("body");
              assertThat(call.header("delay-id")).isEqualTo("a");
              assertThat(call.headers()).doesNotContainKeys("accept-encoding", "cookie");
            });
  }

  @Test
  void aUrlNeedsNoPath() throws Exception {
    String url = "http://made-up.test:" + receiver.port();

    assertThat(post(url, Version.AUTO, LOOPBACK, null)).isEqualTo(new Outcome.Accepted());

    assertThat(calls).extracting(Call::path).containsExactly("/");
  }

  @Test
  void connectsToTheAddressThatWasCheckedWithoutAnotherLookUp() throws Exception {
    // The JDK's own lookup would not find this name.
    assertThat(post(LOOPBACK)).isEqualTo(new Outcome.Accepted());

    assertThat(lookups).containsExactly("made-up.test");
  }

  @Test
  void aNameServerThatDoesNotAnswerHoldsUpNobodyElse() throws Exception {
    int hung = 40;
    CountDownLatch asked = new CountDownLatch(hung);
    CountDownLatch answers = new CountDownLatch(1);
    CallbackClient started =
        CallbackClient.start(
            new HttpSettings(
                Version.AUTO, hung + 1, Duration.ofSeconds(20), Duration.ofSeconds(20), null),
            LOOPBACK,
            host -> {
              if (host.startsWith("hangs")) {
                asked.countDown();
                hang(answers);
                throw new UnknownHostException(host);
              }
              return lookup(host);
            },
            InstantSource.system());
    client = started;
    BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    for (int i = 0; i < hung; i++) {
      URI uri = URI.create("http://hangs-" + i + ".test:" + receiver.port() + "/");
      started.post(uri, Map.of(), new byte[0], outcomes::add);
    }
    assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

    URI good = URI.create("http://made-up.test:" + receiver.port() + "/");
    started.post(good, Map.of(), new byte[0], outcomes::add);

    assertThat(outcomes.poll(10, TimeUnit.SECONDS)).isEqualTo(new Outcome.Accepted());
    answers.countDown();
  }

  private static void hang(CountDownLatch latch) throws UnknownHostException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException("interrupted");
    }
  }

  @Test
  void doesNotConnectToAnAddressThatIsNotAllowed() throws Exception {
    assertThat(post(STRICT))
        .isInstanceOfSatisfying(
            Outcome.Forbidden.class,
            forbidden -> assertThat(forbidden.detail()).doesNotContain("127.0.0.1"));

    assertThat(receiver.connections).isEmpty();
  }

  @Test
  void checksAddressesInPlaceOfNamesToo() throws Exception {
    CallbackClient real =
        CallbackClient.start(
            new HttpSettings(Version.AUTO, 4, Duration.ofSeconds(2), Duration.ofSeconds(2), null),
            STRICT,
            InstantSource.system());
    client = real;
    BlockingQueue<Outcome> outcomes = new ArrayBlockingQueue<>(2);

    for (String host : List.of("127.0.0.1", "[::ffff:127.0.0.1]", "localhost")) {
      URI uri = URI.create("http://" + host + ":" + receiver.port() + "/");
      real.post(uri, Map.of(), new byte[0], outcomes::add);
      assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Forbidden.class);
    }
    assertThat(receiver.connections).isEmpty();
  }

  @Test
  void doesNotFollowRedirects() throws Exception {
    answer = new Answer(307, Map.of("Location", receiver.url("/elsewhere")));

    assertThat(post(LOOPBACK)).isEqualTo(new Outcome.Failed("the receiver answered 307", null));

    assertThat(calls).hasSize(1);
  }

  @Test
  void doesNotAnswerChallenges() throws Exception {
    answer = new Answer(401, Map.of("WWW-Authenticate", "Basic realm=\"a\""));

    assertThat(post(LOOPBACK)).isEqualTo(new Outcome.Refused("the receiver answered 401"));
  }

  @Test
  void honoursRetryAfter() throws Exception {
    answer = new Answer(503, Map.of("Retry-After", "7"));

    assertThat(post(LOOPBACK))
        .isEqualTo(new Outcome.Failed("the receiver answered 503", Duration.ofSeconds(7)));
  }

  @Test
  void anAnswerThatCannotBeReadEndsTheCallOnce() throws Exception {
    CallbackClient started =
        CallbackClient.start(
            new HttpSettings(Version.AUTO, 1, Duration.ofSeconds(2), Duration.ofSeconds(2), null),
            LOOPBACK,
            this::lookup,
            () -> {
              throw new NoClassDefFoundError("gone");
            });
    client = started;
    URI uri = URI.create("http://made-up.test:" + receiver.port() + "/");
    BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    started.post(uri, Map.of(), new byte[0], outcomes::add);

    assertThat(outcomes.poll(20, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Failed("java.lang.NoClassDefFoundError", null));

    // The deadline of this call is later than that of the first.
    answer = Answer.of(Answer.NEVER);
    BlockingQueue<Outcome> later = new LinkedBlockingQueue<>();
    started.post(uri, Map.of(), new byte[0], later::add);
    assertThat(later.poll(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(outcomes).isEmpty();
  }

  /** Without a thread, the scheduler of the JDK throws too, but keeps the task. */
  @Test
  void aDeadlineThatCannotBeSetEndsTheCallOnce() {
    List<Runnable> kept = new ArrayList<>();
    HttpClient http = new HttpClient();
    http.setScheduler(
        new ScheduledExecutorScheduler() {
          @Override
          public Scheduler.Task schedule(Runnable task, long delay, TimeUnit unit) {
            kept.add(task);
            throw new NoClassDefFoundError("gone");
          }
        });
    HttpSettings settings =
        new HttpSettings(Version.AUTO, 1, Duration.ofSeconds(2), Duration.ofSeconds(2), null);
    CallbackClient made = new CallbackClient(http, settings, InstantSource.system());
    client = made;
    List<Outcome> outcomes = new ArrayList<>();

    made.post(URI.create(receiver.url("/")), Map.of(), new byte[0], outcomes::add);
    kept.forEach(Runnable::run);

    assertThat(kept).hasSize(1);
    assertThat(outcomes)
        .containsExactly(new Outcome.Failed("java.lang.NoClassDefFoundError", null));
  }

  @Test
  void aLookupThatDiesEndsTheCallAtOnce() throws Exception {
    CallbackClient started =
        CallbackClient.start(
            new HttpSettings(Version.AUTO, 1, Duration.ofSeconds(60), Duration.ofMinutes(2), null),
            LOOPBACK,
            host -> {
              throw new NoClassDefFoundError("gone");
            },
            InstantSource.system());
    client = started;
    BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

    started.post(URI.create("http://made-up.test/"), Map.of(), new byte[0], outcomes::add);

    assertThat(outcomes.poll(60, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Failed("java.lang.NoClassDefFoundError", null));
  }

  @ParameterizedTest
  @CsvSource({"AUTO", "HTTP_2"})
  void anAnswerThatIsCutOffIsNone(Version version) throws Exception {
    answer = Answer.of(Answer.CUT_OFF);

    assertThat(post("http://made-up.test:" + receiver.port() + "/", version, LOOPBACK, null))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.detail()).contains("Exception").doesNotContain("127.0"));
  }

  @Test
  void doesNotWaitForEver() throws Exception {
    answer = Answer.of(Answer.NEVER);

    assertThat(post(LOOPBACK))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.detail()).contains("Timeout"));
  }

  @Test
  void aNameThatIsNotKnownMayBeLater() throws Exception {
    assertThat(post("http://other.test/", Version.AUTO, LOOPBACK, null))
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void nobodyThereMayBeLater() throws Exception {
    String url = "http://made-up.test:" + receiver.port() + "/";
    receiver.close();

    assertThat(post(url, Version.AUTO, LOOPBACK, null)).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void speaksHttp2OverTlsAndChecksTheName() throws Exception {
    Path store = keyStore("made-up.test");
    KeyStore trust = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    try (Receiver secure = new Receiver(this::answer, store)) {
      String url = "https://made-up.test:" + secure.port() + "/";

      assertThat(post(url, Version.AUTO, LOOPBACK, trust)).isEqualTo(new Outcome.Accepted());

      assertThat(calls).extracting(Call::protocol).containsExactly("HTTP/2.0");
    }
  }

  @Test
  void refusesACertificateForAnotherName() throws Exception {
    Path store = keyStore("another.test");
    KeyStore trust = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    try (Receiver secure = new Receiver(this::answer, store)) {
      String url = "https://made-up.test:" + secure.port() + "/";

      assertThat(post(url, Version.AUTO, LOOPBACK, trust)).isInstanceOf(Outcome.Failed.class);

      assertThat(calls).isEmpty();
    }
  }

  private Path keyStore(String host) throws Exception {
    Path file = dir.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "SAN=dns:" + host,
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    return file;
  }
}
