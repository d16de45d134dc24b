package io.delaybridge.admin.errors;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Refuses text that UTF-8 cannot write. JSON may have half of a surrogate pair, as in {@code
 * "\ud800"}. Java makes a question mark of it, so two ids would be one. In the names of fields,
 * Jackson itself refuses it.
 */
public final class WholeText extends SimpleModule {

  private static final long serialVersionUID = 1;

  /** Half of a pair, at the place that the path tells. */
  static final class HalfPairException extends JsonMappingException {
    private static final long serialVersionUID = 1;

    HalfPairException(JsonParser parser) {
      super(parser, "has half of a surrogate pair, which is not a character");
    }
  }

  /** Replaces what Jackson reads text with. */
  public WholeText() {
    addDeserializer(String.class, new Text());
  }

  private static String checked(String text, DeserializationContext context)
      throws HalfPairException {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new HalfPairException(context.getParser());
    }
    return text;
  }

  private static final class Text extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1;

    Text() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return checked(StringDeserializer.instance.deserialize(parser, context), context);
    }
  }
}
