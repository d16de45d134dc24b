package io.delaybridge.connect.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {

  private static SourceRecord record(@Nullable Schema schema, Object value) {
    return new SourceRecord(Map.of(), Map.of(), "orders", schema, value);
  }

  /** The second column is the name of the only field. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "value.due               | due",
        "value.`due`             | due",
        "value.`remind.at`       | remind.at",
        "value.`.`               | .",
        "value.du`e              | du`e",
        "value.`due``            | due`",
        "value.`a`b`             | a`b",
        "value.`remind\\`.at`    | remind`.at",
        "value.`remind\\at`      | remind\\at",
        "value.`remind\\`at`     | remind\\`at"
      })
  void aNameThatHasADotIsBetweenBackticks(String path, String name) {
    assertThat(FieldPath.of(path).in(record(null, Map.of(name, "found")))).isEqualTo("found");
  }

  @Test
  void namesBetweenBackticksCanBeAnywhereInAPath() {
    FieldPath path = FieldPath.of("value.`order.v1`.lines.`remind.at`");
    Schema lines = SchemaBuilder.struct().field("remind.at", Schema.STRING_SCHEMA).build();
    Schema order = SchemaBuilder.struct().field("lines", lines).build();
    Schema schema = SchemaBuilder.struct().field("order.v1", order).build();
    Struct value =
        new Struct(schema)
            .put(
                "order.v1",
                new Struct(order).put("lines", new Struct(lines).put("remind.at", "found")));

    assertThat(path.in(record(schema, value))).isEqualTo("found");
    assertThat(path.in(record(null, Map.of("order.v1", Map.of("lines", Map.of()))))).isNull();
    assertThat(path).hasToString("value.`order.v1`.lines.`remind.at`");
  }

  @Test
  void withoutBackticksADotIsBetweenTwoNames() {
    assertThat(FieldPath.of("value.remind.at").in(record(null, Map.of("remind.at", "found"))))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "due", "values.due", "value.", "value..due", "value.``", "`value"})
  void whatNamesNoFieldIsRefused(String text) {
    assertThatThrownBy(() -> FieldPath.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"value.`due", "value.`remind.at", "value.`due\\`", "value.`remind`at"})
  void aNameWithoutItsLastBacktickIsRefused(String text) {
    assertThatThrownBy(() -> FieldPath.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(text + " lacks the backtick that ends a name");
  }
}
