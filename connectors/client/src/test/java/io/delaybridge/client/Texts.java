package io.delaybridge.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Headers as texts. */
final class Texts {

  private Texts() {}

  /**
   * Returns the headers as texts. Fails if a name occurs twice, because no header of the bridge
   * may.
   */
  static Map<String, String> of(Headers headers) {
    Map<String, String> texts = new TreeMap<>();
    for (Header header : headers) {
      String text = new String(header.value(), StandardCharsets.UTF_8);
      if (texts.put(header.key(), text) != null) {
        throw new AssertionError(header.key() + " occurs twice");
      }
    }
    return texts;
  }

  static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return headers;
  }
}
