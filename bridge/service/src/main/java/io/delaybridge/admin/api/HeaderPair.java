package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.delaybridge.schemas.StoredHeader;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A header of a record, as the API shows it and takes it. A record may have several with the same
 * name.
 *
 * @param value the value if it is text; null for a header whose value is null
 * @param valueBase64 the value if it is not UTF-8
 */
@Schema(name = "Header")
@JsonSerialize(using = HeaderPair.Writer.class)
public record HeaderPair(
    @JsonProperty(value = "name", required = true) String name,
    @JsonProperty("value") @Nullable String value,
    @JsonProperty("valueBase64") @Nullable String valueBase64) {

  /**
   * @throws IllegalArgumentException if there is no name
   */
  public HeaderPair {
    if (name == null) {
      throw new IllegalArgumentException("the name of a header is null, allowed: text");
    }
  }

  static List<HeaderPair> of(List<StoredHeader> headers) {
    return headers.stream()
        .map(
            header ->
                new HeaderPair(
                    header.name(), Payload.text(header.value()), Payload.base64(header.value())))
        .toList();
  }

  StoredHeader stored() {
    return new StoredHeader(name, Inputs.bytes("headers." + name + ".value", value, valueBase64));
  }

  /** Writes either of the two values: a null is one, and not the lack of one. */
  static final class Writer extends JsonSerializer<HeaderPair> {

    @Override
    public void serialize(HeaderPair pair, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartObject();
      json.writeStringField("name", pair.name);
      if (pair.valueBase64 == null) {
        json.writeStringField("value", pair.value);
      } else {
        json.writeStringField("valueBase64", pair.valueBase64);
      }
      json.writeEndObject();
    }
  }
}
