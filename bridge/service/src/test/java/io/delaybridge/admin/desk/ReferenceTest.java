package io.delaybridge.admin.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceTest {

  @Test
  void aPlaceOfAnIntakeIsASource() {
    assertThat(Reference.parse("in/2/7", List.of("in")))
        .isEqualTo(new Reference(null, new ShardId("in", 2), 7));
  }

  /** An occurrence is no place of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"order-42", "other/2/7", "in/2", "in/2/7-1"})
  void anythingElseIsAnId(String text) {
    assertThat(Reference.parse(text, List.of("in"))).isEqualTo(new Reference(text, null, -1));
  }
}
