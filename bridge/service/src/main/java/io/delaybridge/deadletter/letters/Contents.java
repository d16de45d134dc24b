package io.delaybridge.deadletter.letters;

import io.delaybridge.message.Source;
import io.delaybridge.schemas.StoredHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** Key, value and headers of dead letters, read from Kafka when somebody asks. */
public final class Contents {

  private final Supplier<LetterReader> readers;

  /** Takes what makes readers. */
  public Contents(Supplier<LetterReader> readers) {
    this.readers = readers;
  }

  /**
   * The content of the letter, or empty if its topic no longer has it.
   *
   * @throws IndexUnavailableException if Kafka does not answer in time
   */
  public Optional<Content> content(DeadLetter letter) {
    return read(letter)
        .map(record -> new Content(record.key(), record.value(), headers(record.headers())));
  }

  private static List<StoredHeader> headers(Headers headers) {
    List<StoredHeader> all = new ArrayList<>();
    headers.forEach(header -> all.add(new StoredHeader(header.key(), header.value())));
    return all;
  }

  /** A separate reader, for many letters. */
  public LetterReader reader() {
    return readers.get();
  }

  /**
   * The record with the content of the letter, or empty if its topic no longer has it.
   *
   * @throws IndexUnavailableException if Kafka does not answer in time
   */
  public Optional<ConsumerRecord<byte[], byte[]>> read(DeadLetter letter) {
    Source position = LetterReader.contentOf(letter);
    try (LetterReader reader = reader()) {
      return Optional.ofNullable(reader.read(List.of(position)).get(position));
    }
  }
}
