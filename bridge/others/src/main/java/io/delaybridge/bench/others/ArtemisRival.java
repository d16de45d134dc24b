package io.delaybridge.bench.others;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * Scheduled messages of ActiveMQ Artemis. The broker runs in the same JVM, so it does not use the
 * network. Its journal is enabled without a sync for each message, like the logs of Kafka and Redis
 * here. Sessions commit up to a thousand messages at a time.
 */
final class ArtemisRival implements Rival {

  private static final String QUEUE = "others";
  private static final int BATCH = 1_000;

  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
  private final ServerLocator locator;
  private final ClientSessionFactory factory;
  private final ClientSession sending;
  private final ClientSession receiving;
  private final ClientProducer producer;
  private final ClientConsumer consumer;
  private int uncommitted;

  private ArtemisRival(Path dir) throws Exception {
    Configuration config =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setJournalType(JournalType.NIO)
            .setJournalDatasync(false)
            .setSecurityEnabled(false)
            .setJournalDirectory(dir.resolve("journal").toString())
            .setBindingsDirectory(dir.resolve("bindings").toString())
            .setPagingDirectory(dir.resolve("paging").toString())
            .setLargeMessagesDirectory(dir.resolve("large").toString())
            .addAcceptorConfiguration("in-vm", "vm://0");
    server.setConfiguration(config);
    server.start();
    locator = ActiveMQClient.createServerLocator("vm://0").setConsumerWindowSize(8 << 20);
    factory = locator.createSessionFactory();
    sending = factory.createSession(false, false);
    receiving = factory.createSession(false, false);
    sending.createQueue(QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST));
    producer = sending.createProducer(QUEUE);
    consumer = receiving.createConsumer(QUEUE);
    receiving.start();
  }

  /** Takes a directory, the size of a message in bytes and the number of messages. */
  public static void main(String[] args) throws Exception {
    try (ArtemisRival rival = new ArtemisRival(Path.of(args[0]))) {
      new Trial(rival, Integer.parseInt(args[1])).run(Integer.parseInt(args[2]));
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
    // The broker leaves thread pools running.
    System.exit(0);
  }

  @Override
  public void schedule(byte[] value, long due) throws Exception {
    ClientMessage message = sending.createMessage(true);
    message.getBodyBuffer().writeBytes(value);
    message.putLongProperty(Message.HDR_SCHEDULED_DELIVERY_TIME, due);
    producer.send(message);
    if (++uncommitted == BATCH) {
      flush();
    }
  }

  @Override
  public void flush() throws Exception {
    sending.commit();
    uncommitted = 0;
  }

  @Override
  public void receive(LongConsumer due) throws Exception {
    ClientMessage message = consumer.receive(100);
    for (int i = 1; message != null; i++) {
      byte[] value = new byte[message.getBodyBuffer().readableBytes()];
      message.getBodyBuffer().readBytes(value);
      due.accept(ByteBuffer.wrap(value).getLong());
      message.acknowledge();
      message = i < BATCH ? consumer.receiveImmediate() : null;
    }
    receiving.commit();
  }

  /** Returns the used heap after a collection. Scheduled messages stay in memory. */
  @Override
  public long bytes() throws IOException {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() {
    try {
      factory.close();
      locator.close();
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("Artemis does not stop", e);
    }
  }
}
