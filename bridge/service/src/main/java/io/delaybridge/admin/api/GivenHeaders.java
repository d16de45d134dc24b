package io.delaybridge.admin.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.delaybridge.schemas.StoredHeader;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Headers that a caller gives: a list of pairs, or an object of names and texts. */
@Schema(
    description = "A list of headers, or an object of names and texts",
    oneOf = {HeaderPair[].class, GivenHeaders.Texts.class})
@JsonDeserialize(using = GivenHeaders.Reader.class)
public final class GivenHeaders {

  static final GivenHeaders NONE = new GivenHeaders(List.of(), Set.of());

  private final List<StoredHeader> pairs;
  private final Set<String> nulls;

  private GivenHeaders(List<StoredHeader> pairs, Set<String> nulls) {
    this.pairs = List.copyOf(pairs);
    this.nulls = Set.copyOf(nulls);
  }

  /** The second form, for the OpenAPI document. */
  @Schema(name = "HeaderTexts")
  interface Texts extends Map<String, @Nullable String> {

    @Override
    @Schema(hidden = true)
    boolean isEmpty();
  }

  /** The headers, in their order. */
  List<StoredHeader> pairs() {
    return pairs;
  }

  /** The names that have null in an object. */
  Set<String> nulls() {
    return nulls;
  }

  private static GivenHeaders of(Map<String, @Nullable String> texts) {
    List<StoredHeader> pairs = new ArrayList<>();
    Set<String> nulls = new HashSet<>();
    texts.forEach(
        (name, text) -> {
          if (text == null) {
            nulls.add(name);
          } else {
            pairs.add(new HeaderPair(name, text, null).stored());
          }
        });
    return new GivenHeaders(pairs, nulls);
  }

  /** Lets Jackson read either form as it reads every other field. */
  static final class Reader extends JsonDeserializer<GivenHeaders> {

    private static final TypeReference<Map<String, @Nullable String>> TEXTS =
        new TypeReference<>() {};
    private static final TypeReference<List<HeaderPair>> PAIRS = new TypeReference<>() {};

    @Override
    public GivenHeaders deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      if (json.currentToken() == JsonToken.START_OBJECT) {
        return of(context.readValue(json, type(context, TEXTS)));
      }
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw wrong(
            context,
            "headers is %s, allowed: an array of headers, or an object of names and texts"
                .formatted(json.getText()));
      }
      List<@Nullable HeaderPair> pairs = context.readValue(json, type(context, PAIRS));
      if (pairs.contains(null)) {
        throw wrong(context, "headers has null, allowed: an object with a name");
      }
      return new GivenHeaders(pairs.stream().map(HeaderPair::stored).toList(), Set.of());
    }

    private static JsonMappingException wrong(DeserializationContext context, String why) {
      return context.instantiationException(GivenHeaders.class, new IllegalArgumentException(why));
    }

    private static JavaType type(DeserializationContext context, TypeReference<?> type) {
      return context.getTypeFactory().constructType(type);
    }
  }
}
