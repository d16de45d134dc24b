package io.delaybridge.deadletter;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlertClaim;
import io.delaybridge.deadletter.alarms.Webhook;
import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.index.DeadLetterClients;
import io.delaybridge.deadletter.index.DeadLetterIndex;
import io.delaybridge.deadletter.index.DeadLetterSettings;
import io.delaybridge.deadletter.index.IndexStatus;
import io.delaybridge.deadletter.index.TopicWatch;
import io.delaybridge.deadletter.letters.Contents;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import io.delaybridge.deadletter.letters.LetterReader;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.replay.Ledger;
import io.delaybridge.deadletter.replay.Replay;
import io.delaybridge.deadletter.replay.ReplayJobs;
import io.delaybridge.deadletter.replay.ReplayRecords;
import io.delaybridge.deadletter.replay.ReplayRules;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Puts together everything about dead letters. */
public final class DeadLetters {

  private static final int MAX_WAITING = 100;
  private static final Duration CATCH_UP = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final Duration LAST_ALERTS = Duration.ofSeconds(2);

  private final Admin admin;
  private final ThreadPoolExecutor alerts;
  private final DeadLetterIndex index;
  private final Contents contents;
  private final Ledger ledger;
  private final Replay replay;
  private final ReplayJobs jobs;

  /**
   * Starts nothing yet.
   *
   * @param nanos the monotonic clock
   */
  public DeadLetters(
      DeadLetterSettings settings,
      DeadLetterClients clients,
      InstantSource clock,
      LongSupplier nanos) {
    String clientId = "delay-bridge-" + settings.instance() + "-deadletters";
    MarkCodec codec = new MarkCodec(settings.marksTopic());
    admin = clients.admin();
    alerts = executor();
    Alarm alarm =
        new Alarm(
            settings.alarm(),
            settings.instance(),
            clock,
            alerts,
            claim -> {
              if (alerts.isShutdown()) {
                // Nobody reads it here any more, and so nobody would tell.
                throw new IllegalStateException("the bridge ends");
              }
              write(clients, clientId, List.of(codec.alert(claim)));
            },
            webhook(settings.alarm().webhook()));
    TopicWatch topics =
        new TopicWatch(
            admin,
            settings.letterTopic(),
            settings.marksTopic(),
            gone -> write(clients, clientId, gone.stream().map(codec::forget).toList()));
    index = new DeadLetterIndex(settings, clients, alarm, topics);
    contents = new Contents(() -> new LetterReader(clients.reader(clientId + "-reader"), nanos));
    ledger =
        new Ledger(
            () ->
                clients.compressingProducer(
                    clientId + "-replay", settings.groupId() + "-deadletters"),
            index::marks,
            codec,
            CATCH_UP);
    ReplayRules rules =
        new ReplayRules(
            settings.intakes(),
            settings.maxReplays(),
            intake -> settings.reading().apply(intake).passesUnknown());
    ReplayRecords records = new ReplayRecords(settings.reading());
    replay = new Replay(index::catalog, contents, ledger, codec, rules, records, clock);
    jobs =
        new ReplayJobs(
            index::catalog,
            new ReplayJobs.ReplayTools(contents, ledger, codec, records, PAUSE),
            rules,
            settings.instance(),
            clock,
            nanos);
  }

  /** One thread while there is an alert to raise, none otherwise. */
  private static ThreadPoolExecutor executor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            task -> {
              Thread thread = new Thread(task, "deadletter-alert");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static Predicate<AlertClaim> webhook(@Nullable URI uri) {
    return uri == null ? claim -> true : new Webhook(uri);
  }

  /** Writes and waits; throws a KafkaException if that fails. */
  private static void write(
      DeadLetterClients clients, String clientId, List<ProducerRecord<byte[], byte[]>> records) {
    // A producer of its own, since there is rarely anything to write.
    try (Producer<byte[], byte[]> producer = clients.producer(clientId + "-marks")) {
      List<Future<RecordMetadata>> sent = records.stream().map(producer::send).toList();
      for (Future<RecordMetadata> future : sent) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Begins to read, in the background; returns at once and never fails. */
  public void start() {
    index.start();
  }

  /** Ends everything, within some seconds. */
  public void stop() throws InterruptedException {
    jobs.stop();
    ledger.close();
    index.stop();
    // Nothing raises alerts any more. One that is in the log already is told by nobody else.
    alerts.shutdown();
    if (!alerts.awaitTermination(LAST_ALERTS.toMillis(), TimeUnit.MILLISECONDS)) {
      alerts.shutdownNow();
    }
    admin.close(Duration.ofSeconds(1));
  }

  /** The status of the index. */
  public IndexStatus status() {
    return index.status();
  }

  /**
   * Returns the known dead letters; ask anew for each question.
   *
   * @throws IndexUnavailableException if the index cannot answer now
   */
  public Catalog catalog() {
    return index.catalog();
  }

  /** The content of dead letters. */
  public Contents contents() {
    return contents;
  }

  /** Replays one, or marks it as handled. */
  public Replay replay() {
    return replay;
  }

  /** Replays many. */
  public ReplayJobs jobs() {
    return jobs;
  }
}
