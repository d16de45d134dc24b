package io.delaybridge.connect.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

/**
 * The path to data in a record: {@code key} or {@code value} as a whole, or a field in one of them,
 * as in {@code value.order.due}. Fields can be in structs and in maps. A name that has a dot is
 * between backticks, as in {@code value.`remind.at`}; a backtick before a dot in such a name has a
 * backslash before it. That is the second syntax of Kafka's own transforms (KIP-821).
 */
public final class FieldPath {

  private static final String KEY = "key";
  private static final String VALUE = "value";

  private final String text;
  private final boolean inKey;
  private final List<String> names;

  private FieldPath(String text, boolean inKey, List<String> names) {
    this.text = text;
    this.inKey = inKey;
    this.names = names;
  }

  /**
   * Parses a path.
   *
   * @throws IllegalArgumentException if it begins with neither of the two, has an empty name or
   *     lacks a backtick
   */
  public static FieldPath of(String text) {
    List<String> parts = names(text);
    String root = parts.get(0);
    if (!(root.equals(KEY) || root.equals(VALUE)) || parts.contains("")) {
      throw new IllegalArgumentException(text + " is not a field, as in value.due");
    }
    return new FieldPath(text, root.equals(KEY), parts.subList(1, parts.size()));
  }

  private static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    int from = 0;
    while (from <= text.length()) {
      int end;
      if (text.startsWith("`", from)) {
        int last = closing(text, from + 1);
        names.add(text.substring(from + 1, last).replace("\\`.", "`."));
        end = last + 1;
      } else {
        int dot = text.indexOf('.', from);
        end = dot < 0 ? text.length() : dot;
        names.add(text.substring(from, end));
      }
      from = end + 1;
    }
    return names;
  }

  /** Returns where the backtick is that ends a name: before a dot or the end, without backslash. */
  private static int closing(String text, int from) {
    for (int i = text.indexOf('`', from); i >= 0; i = text.indexOf('`', i + 1)) {
      boolean atEnd = i == text.length() - 1 || text.charAt(i + 1) == '.';
      if (atEnd && text.charAt(i - 1) != '\\') {
        return i;
      }
    }
    throw new IllegalArgumentException(text + " lacks the backtick that ends a name");
  }

  /**
   * Returns the data at this path.
   *
   * @return null if there is no data, also if a struct or map on the way is null or lacks the field
   * @throws DataException if something on the way is neither a struct nor a map, or if it is a time
   *     of day, which Connect represents as an instant of 1970
   */
  public @Nullable Object in(ConnectRecord<?> record) {
    Object found = inKey ? record.key() : record.value();
    Schema schema = inKey ? record.keySchema() : record.valueSchema();
    for (String name : names) {
      if (found == null) {
        return null;
      } else if (found instanceof Struct struct) {
        Field field = struct.schema().field(name);
        found = field == null ? null : struct.get(name);
        schema = field == null ? null : field.schema();
      } else if (found instanceof Map<?, ?> map) {
        found = map.get(name);
        schema = schema != null && schema.type() == Schema.Type.MAP ? schema.valueSchema() : null;
      } else {
        throw new DataException(
            "%s cannot be read: a %s has no field %s"
                .formatted(text, found.getClass().getSimpleName(), name));
      }
    }
    if (found != null && schema != null && Time.LOGICAL_NAME.equals(schema.name())) {
      throw new DataException(text + " is a time of day without a date");
    }
    return found;
  }

  @Override
  public String toString() {
    return text;
  }
}
