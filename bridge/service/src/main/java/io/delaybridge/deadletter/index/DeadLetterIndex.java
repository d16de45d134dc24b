package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a Kafka Streams client with the stores of {@link DeadLetterTopology} alive, on a thread of
 * its own. No failure leaves this class: the index is then down, says why and tries again.
 */
public final class DeadLetterIndex implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterIndex.class);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration CHECK = Duration.ofMinutes(1);
  private static final Duration CLOSE = Duration.ofSeconds(3);

  private final DeadLetterSettings settings;
  private final DeadLetterClients clients;
  private final Alarm alarm;
  private final TopicWatch topics;
  private final Semaphore wake = new Semaphore(0);
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile @Nullable KafkaStreams running;
  private volatile @Nullable String problem;
  private @Nullable Thread thread;

  /** Takes the settings, what makes its clients, and what it tells and asks. Starts nothing yet. */
  public DeadLetterIndex(
      DeadLetterSettings settings, DeadLetterClients clients, Alarm alarm, TopicWatch topics) {
    this.settings = settings;
    this.clients = clients;
    this.alarm = alarm;
    this.topics = topics;
  }

  /** Begins to read, on a thread of its own. */
  public void start() {
    Thread started = new Thread(this, "deadletter-index");
    // The threads of Kafka Streams inherit this: reading a long topic must not delay the end.
    started.setDaemon(true);
    started.start();
    thread = started;
  }

  /** Ends, or is left behind after a few seconds. */
  public void stop() throws InterruptedException {
    end.countDown();
    wake.release();
    Thread ending = thread;
    if (ending != null) {
      ending.join(CLOSE.toMillis());
    }
  }

  /** The stores, for as long as the client that fills them runs. */
  public Catalog catalog() {
    return new Catalog(letters(), marks());
  }

  LetterStore letters() {
    return store(LetterStore.NAME, LetterStore.class);
  }

  /** The marks, for as long as the client that fills them runs. */
  public MarkStore marks() {
    return store(MarkStore.NAME, MarkStore.class);
  }

  private <T extends MemoryStore> T store(String name, Class<T> kind) {
    KafkaStreams streams = running;
    String reason = problem;
    if (streams == null) {
      throw new IndexUnavailableException(
          reason == null ? "the dead letters are being read" : reason);
    }
    try {
      return streams.store(
          StoreQueryParameters.fromNameAndType(name, new MemoryStore.Type<>(kind)));
    } catch (RuntimeException e) {
      throw new IndexUnavailableException("the index is being closed", e);
    }
  }

  /** How it is; never fails. */
  public IndexStatus status() {
    String why = problem;
    try {
      LetterStore letters = letters();
      MarkStore marks = marks();
      return new IndexStatus(
          IndexStatus.State.RUNNING,
          null,
          letters.size(),
          marks.size(),
          letters.skipped() + marks.skipped(),
          letters.evicted());
    } catch (IndexUnavailableException e) {
      IndexStatus.State state = why == null ? IndexStatus.State.STARTING : IndexStatus.State.DOWN;
      return new IndexStatus(state, why, 0, 0, 0, 0);
    }
  }

  @Override
  public void run() {
    try {
      do {
        attempt();
      } while (!end.await(RETRY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
      LOG.info("The index of dead letters was interrupted and ends");
    } finally {
      problem = Objects.requireNonNullElse(problem, "the index has ended, restart the process");
    }
  }

  private void attempt() throws InterruptedException {
    try {
      runOnce();
    } catch (InterruptException e) {
      throw e;
    } catch (ExecutionException e) {
      failed(String.valueOf(e.getCause()), e);
    } catch (IllegalStateException e) {
      failed(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException | Error e) {
      failed(e.getCause() == null ? e.toString() : e.getCause().toString(), e);
    }
  }

  private void failed(String why, Throwable cause) {
    if (!isStopped() && !why.equals(problem)) {
      LOG.warn(
          "The index of dead letters is down and will be restarted, delivery continues: {}", why);
      LOG.debug("The stack trace of this failure", cause);
    }
    problem = why;
  }

  /** Runs a client until it fails, a topic changes so that it must begin anew, or the end. */
  private void runOnce() throws ExecutionException, InterruptedException {
    // Drops what the previous client signalled about its end.
    wake.drainPermits();
    int partitions = topics.check();
    KafkaStreams streams =
        new KafkaStreams(
            DeadLetterTopology.build(
                settings.letterTopic(),
                settings.marksTopic(),
                settings.maxIndexed(),
                settings.alarm(),
                alarm),
            new StreamsConfig(properties()));
    try {
      streams.setUncaughtExceptionHandler(
          failure -> {
            failed(failure.toString(), new IllegalStateException(failure));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
          });
      streams.setStateListener(
          (now, before) -> {
            if (now == State.ERROR || now == State.PENDING_ERROR) {
              wake.release();
            }
          });
      streams.start();
      problem = null;
      running = streams;
      LOG.info("The index of dead letters is ready, dead letters: {}", letters().size());
      while (!isStopped() && !pause(CHECK) && streams.state() == State.RUNNING) {
        if (!lookAfter(partitions)) {
          LOG.info("{} has more partitions: the index is built again", settings.letterTopic());
          return;
        }
      }
      if (problem == null) {
        // An error has ended its thread, which its handler does not hear of.
        throw new IllegalStateException("Kafka Streams has ended as " + streams.state());
      }
    } finally {
      running = null;
      streams.close(CLOSE);
    }
  }

  /**
   * Checks the topics and forgets what is gone. If Kafka cannot be asked, or does not take what is
   * to be forgotten, the index stays right and this is done a minute later.
   *
   * @return false if the index has to begin anew
   */
  private boolean lookAfter(int partitions) throws ExecutionException, InterruptedException {
    try {
      if (topics.check() != partitions) {
        return false;
      }
      topics.sweep(letters(), marks());
    } catch (IndexUnavailableException e) {
      LOG.warn("Deleted dead letters stay in the index until the next check: {}", e.getMessage());
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.warn("Marks of deleted dead letters stay until the next check: {}", e.toString());
    } catch (ExecutionException e) {
      if (!passes(e.getCause())) {
        throw e;
      }
      LOG.warn(
          "The dead-letter topics cannot be checked, this is tried again: {}",
          String.valueOf(e.getCause()));
    }
    return true;
  }

  private static boolean passes(@Nullable Throwable cause) {
    return cause instanceof RetriableException
        && !(cause instanceof UnknownTopicOrPartitionException);
  }

  /** Waits; returns true if the end has come. */
  private boolean pause(Duration time) throws InterruptedException {
    if (wake.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
      wake.drainPermits();
    }
    return isStopped();
  }

  private boolean isStopped() {
    return end.getCount() == 0;
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(clients.common());
    clients
        .consumerOverrides()
        .forEach((key, value) -> properties.put(StreamsConfig.globalConsumerPrefix(key), value));
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.groupId() + "-deadletters");
    properties.put(
        StreamsConfig.CLIENT_ID_CONFIG, "delay-bridge-" + settings.instance() + "-deadletters");
    // An idle index waits in long fetches; new records end the wait at once. At start, each
    // partition waits for the last fetch of the partition before it, so fetches must not be very
    // long.
    properties.put(StreamsConfig.POLL_MS_CONFIG, 1_000L);
    properties.put(global(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 500);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 60_000L);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
    properties.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, 60_000L);
    properties.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(global(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    properties.put(global(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG), NullKeys.class.getName());
    return properties;
  }

  private static String global(String consumerProperty) {
    return StreamsConfig.globalConsumerPrefix(consumerProperty);
  }
}
