package io.delaybridge.delivery;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/** The group metadata of a consumer. Without a broker, it can only be built directly. */
@SuppressWarnings("removal")
final class Groups {

  static final String ID = "delay-bridge";

  static final ConsumerGroupMetadata MEMBER =
      new ConsumerGroupMetadata(ID, 4, "member-1", Optional.empty());

  static final ConsumerGroupMetadata NO_MEMBER = new ConsumerGroupMetadata(ID);

  private Groups() {}
}
