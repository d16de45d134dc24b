package io.delaybridge.connect.transform;

import java.util.Arrays;
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
 * as in {@code value.order.due}. Fields can be in structs and in maps.
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
   * @throws IllegalArgumentException if it begins with neither of the two, or has an empty name
   */
  public static FieldPath of(String text) {
    List<String> parts = Arrays.asList(text.split("\\.", -1));
    String root = parts.get(0);
    if (!(root.equals(KEY) || root.equals(VALUE)) || parts.contains("")) {
      throw new IllegalArgumentException(text + " is not a field, as in value.due");
    }
    return new FieldPath(text, root.equals(KEY), parts.subList(1, parts.size()));
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
