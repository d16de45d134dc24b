package io.delaybridge.it;

import org.apache.kafka.common.security.scram.ScramLoginModule;

/** A login module that is not part of Kafka, as those of clouds are. */
public final class CloudLogin extends ScramLoginModule {}
