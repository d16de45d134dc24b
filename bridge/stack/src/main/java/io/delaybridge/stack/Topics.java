package io.delaybridge.stack;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Topics of the local run. */
final class Topics {

  private static final long LIMIT_S = 20;

  private Topics() {}

  /** Creates a topic with one partition if it does not exist. */
  static void create(String bootstrapServers, String name) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin
          .createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
          .all()
          .get(LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new StackException("Topic %s cannot be created: %s".formatted(name, e.getCause()), e);
      }
    } catch (TimeoutException e) {
      throw new StackException("Topic " + name + " was not created in time.", e);
    } catch (InterruptedException e) {
      throw StackException.interrupted("topic " + name, e);
    }
  }
}
