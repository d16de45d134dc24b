package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the messages to the intake, on its own thread. It enters the position of each
 * message in the ledger. It never gives up on a record, so that the ledger is exact. It is ahead of
 * the faults by one share only, so that the last fault still meets a loaded bridge.
 */
final class Load implements AutoCloseable {

  /** A header that is not the bridge's and must arrive unchanged. */
  static final String NUMBER = "load-number";

  /** The name of a topic that does not exist. */
  static final String NOWHERE = "nowhere";

  /** The delay of a record that must never become due: longer than any run. */
  static final long NEVER_MS = Duration.ofDays(2).toMillis();

  private static final Duration GIVE_UP = Duration.ofMinutes(20);

  private final Ledger ledger;
  private final KafkaProducer<byte[], byte[]> producer;
  private final SplittableRandom partitions;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final long nanosPerMessage;
  private volatile int released;
  private volatile int sent;
  private volatile int partitionCount;

  /**
   * @param perSecond maximum number of messages per second
   */
  Load(String bootstrapServers, Ledger ledger, int partitionCount, int perSecond) {
    this.ledger = ledger;
    this.partitionCount = partitionCount;
    this.nanosPerMessage = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.partitions = new SplittableRandom(ledger.seed());
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
                ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.LINGER_MS_CONFIG, "2",
                ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(GIVE_UP.toMillis()),
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000",
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(GIVE_UP.toMillis()),
                ProducerConfig.METADATA_MAX_AGE_CONFIG, "2000"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.thread = new Thread(this::run, "load");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Allows the load to send this many messages in total. */
  void release(int total) {
    lock.lock();
    try {
      released = Math.max(released, Math.min(total, ledger.size()));
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many messages may be sent. */
  int released() {
    return released;
  }

  /** Allows the load to send this many more messages. */
  void releaseMore(int count) {
    release(released + count);
  }

  /** Spreads the messages over this many partitions from now on. */
  void spreadOver(int count) {
    partitionCount = count;
  }

  /** Returns how many messages were handed to the Kafka client. */
  int sent() {
    return sent;
  }

  /** Waits until all released messages are acknowledged. */
  void awaitSent() {
    Wait.until("the load to be sent", GIVE_UP, () -> failure.get() != null || sent >= released);
    check();
    producer.flush();
    check();
  }

  /** Releases the remaining messages and waits until all are acknowledged. */
  void finish() {
    release(ledger.size());
    awaitSent();
  }

  @Override
  public void close() {
    thread.interrupt();
    producer.close(Duration.ofSeconds(5));
  }

  /** Throws an exception if writing has failed. */
  void check() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new FaultsException("the load could not be written: " + cause, cause);
    }
  }

  private void run() {
    long next = System.nanoTime();
    try {
      for (int number = 0; number < ledger.size(); number++) {
        if (awaitRelease(number)) {
          // The wait is not made up for: load must still come after the fault.
          next = System.nanoTime();
        }
        next = Math.max(next + nanosPerMessage, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
        long ahead = next - System.nanoTime();
        if (ahead > TimeUnit.MILLISECONDS.toNanos(2)) {
          TimeUnit.NANOSECONDS.sleep(ahead);
        }
        send(number);
        sent = number + 1;
      }
    } catch (InterruptedException | org.apache.kafka.common.errors.InterruptException e) {
      // close() ends this thread this way.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Returns whether it had to wait. */
  private boolean awaitRelease(int number) throws InterruptedException {
    lock.lock();
    try {
      boolean waits = number >= released;
      while (number >= released) {
        more.await();
      }
      return waits;
    } finally {
      lock.unlock();
    }
  }

  private void send(int number) {
    Nature nature = ledger.nature(number);
    long now = System.currentTimeMillis();
    long due = now + nature.delay();
    int partition = partitions.nextInt(partitionCount);
    ledger.due(number, due);
    if (nature.kind().hasDecoy()) {
      ProducerRecord<byte[], byte[]> decoy =
          record(number, partition, now, new Payload(number, true, now + NEVER_MS, 0), nature);
      header(decoy, DelayHeaders.DELIVER_AT, now + NEVER_MS);
      header(decoy, DelayHeaders.TARGET_TOPIC, target(0));
      send(number, true, decoy);
    }
    Payload payload = new Payload(number, false, due, nature.target());
    ProducerRecord<byte[], byte[]> record = record(number, partition, now, payload, nature);
    if (nature.kind() == Kind.CANCELLED) {
      header(record, DelayHeaders.OP, DelayHeaders.OP_CANCEL);
    } else {
      address(record, nature);
      when(record, nature, due);
    }
    send(number, false, record);
  }

  private void send(int number, boolean decoy, ProducerRecord<byte[], byte[]> record) {
    // The callback gets the failure as well.
    var unused =
        producer.send(
            record,
            (written, cause) -> {
              if (cause != null) {
                failure.compareAndSet(null, cause);
              } else {
                ledger.sent(number, decoy, Position.of(written.partition(), written.offset()));
              }
            });
  }

  private ProducerRecord<byte[], byte[]> record(
      int number, int partition, long now, Payload payload, Nature nature) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            BridgeConfig.INTAKE,
            partition,
            now,
            Nature.key(ledger.seed(), number),
            payload.encode(nature.padding()));
    header(record, NUMBER, number);
    if (nature.hasId()) {
      header(record, DelayHeaders.ID, "message-" + number);
    }
    return record;
  }

  private static void address(ProducerRecord<byte[], byte[]> record, Nature nature) {
    boolean nowhere = nature.kind() == Kind.HOMELESS || nature.kind() == Kind.RETRIED;
    header(record, DelayHeaders.TARGET_TOPIC, nowhere ? NOWHERE : target(nature.target()));
    if (nowhere) {
      header(record, DelayHeaders.MAX_ATTEMPTS, nature.kind() == Kind.RETRIED ? 3 : 1);
    }
  }

  private static void when(ProducerRecord<byte[], byte[]> record, Nature nature, long due) {
    if (nature.kind() == Kind.MALFORMED) {
      header(record, DelayHeaders.DELAY_MS, "soon");
    } else if (nature.delay() < 0 || nature.way() == 0) {
      header(
          record,
          DelayHeaders.DELIVER_AT,
          nature.padding() % 2 == 0 ? due : Instant.ofEpochMilli(due));
    } else if (nature.way() == 1) {
      header(record, DelayHeaders.DELAY_MS, nature.delay());
    } else {
      header(record, DelayHeaders.DELAY_DURATION, Duration.ofMillis(nature.delay()));
    }
  }

  /** Returns the name of the target with this index. */
  static String target(int index) {
    return "target-" + index;
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, Object value) {
    record.headers().add(name, bytes(value));
  }

  static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }
}
