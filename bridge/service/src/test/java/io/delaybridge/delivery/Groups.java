package io.delaybridge.delivery;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/** What a consumer says of itself. The only way to have it without a broker is to build it. */
@SuppressWarnings("removal")
final class Groups {

  static final String ID = "delay-bridge";

  static final ConsumerGroupMetadata MEMBER =
      new ConsumerGroupMetadata(ID, 4, "member-1", Optional.empty());

  static final ConsumerGroupMetadata NO_MEMBER = new ConsumerGroupMetadata(ID);

  private Groups() {}
}
