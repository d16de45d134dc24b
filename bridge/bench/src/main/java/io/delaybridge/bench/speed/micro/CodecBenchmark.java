package io.delaybridge.bench.speed.micro;

import io.delaybridge.schemas.CorruptMessageException;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.schemas.StoredMessageCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The encoding of a message with two headers into the bytes that Redis stores, and the decoding.
 */
@State(Scope.Benchmark)
public class CodecBenchmark {

  /** The size of the value in bytes. */
  @Param({"100", "1024"})
  public int size;

  private static final long DUE = 1_790_000_000_000L;
  private static final long OFFSET = 117;

  private StoredMessage message = message(0);
  private byte[] bytes = {};

  /** Prepares a message of this size. */
  @Setup
  public void prepare() {
    message = message(size);
    bytes = StoredMessageCodec.encode(message, DUE, OFFSET);
  }

  private static StoredMessage message(int size) {
    return new StoredMessage(
        new byte[8],
        new byte[size],
        List.of(header(DelayHeaders.TARGET_TOPIC, "orders"), header(DelayHeaders.DELAY_MS, "3000")),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        StoredMessage.BEFORE_DUE,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }

  private static StoredHeader header(String name, String value) {
    return new StoredHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Encodes the message. */
  @Benchmark
  public byte[] encode() {
    return StoredMessageCodec.encode(message, DUE, OFFSET);
  }

  /** Decodes the message. */
  @Benchmark
  public StoredMessage decode() throws CorruptMessageException {
    return StoredMessageCodec.decode(bytes, DUE, OFFSET);
  }
}
