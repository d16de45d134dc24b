package io.delaybridge.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The document for readers in any language says what the constants say. */
class AsyncApiDocumentTest {

  private static JsonNode document = MissingNode.getInstance();

  @BeforeAll
  static void readDocument() throws IOException {
    try (InputStream yaml =
        AsyncApiDocumentTest.class.getResourceAsStream("/delay-bridge.asyncapi.yaml")) {
      document = new YAMLMapper().readTree(Objects.requireNonNull(yaml, "the document"));
    }
  }

  @Test
  void theDocumentIsAsyncApi3() {
    assertThat(document.path("asyncapi").asText()).isEqualTo("3.0.0");
  }

  @Test
  void theIntakeHasTheControlHeadersOfProducers() {
    Set<String> expected = new HashSet<>(DelayHeaders.CONTROL);
    expected.remove(DelayHeaders.RETRY);
    expected.remove(DelayHeaders.LAST);
    expected.remove(DelayHeaders.PAUSED);
    expected.remove(DelayHeaders.PENDING);
    assertThat(headersOf("schedule")).isEqualTo(expected);

    expected.add(DelayHeaders.PENDING);
    expected.addAll(DelayHeaders.CONSUMER);
    assertThat(headersOn("intake")).isEqualTo(expected);
  }

  @Test
  void aRetryOfAConsumerIsARequestWithTheHeadersOfTheConsumer() {
    Set<String> expected = new HashSet<>(DelayHeaders.CONSUMER);
    expected.add(DelayHeaders.TARGET_TOPIC);
    expected.add(DelayHeaders.TARGET_PARTITION);
    expected.add(DelayHeaders.DELAY_MS);

    assertThat(headersOf("consumerRetry")).isEqualTo(expected);
  }

  @Test
  void aCancellationIsAnOperationAndAnId() {
    assertThat(headersOf("cancel"))
        .isEqualTo(required("cancel"))
        .containsExactlyInAnyOrder(DelayHeaders.ID, DelayHeaders.OP);
  }

  @Test
  void aTargetHasTheArrivalHeadersTheIdAndThoseOfTheConsumer() {
    Set<String> expected = new HashSet<>(DelayHeaders.ARRIVAL);
    expected.add(DelayHeaders.ID);
    expected.addAll(DelayHeaders.CONSUMER);
    expected.addAll(DelayHeaders.CARRIED);
    expected.addAll(DelayHeaders.REPEATED);

    assertThat(headersOn("target")).isEqualTo(expected);
  }

  @Test
  void everythingThatArrivesHasTheArrivalHeaders() {
    assertThat(required("delivered")).isEqualTo(DelayHeaders.ARRIVAL);
  }

  @Test
  void aDeadLetterHasTheDeadHeadersItsSourcesTheAttemptAndWhatIsCarriedOn() {
    Set<String> expected = new HashSet<>(DelayHeaders.DEAD);
    expected.addAll(DelayHeaders.CARRIED);
    expected.addAll(DelayHeaders.REPEATED);
    expected.add(DelayHeaders.SOURCE);
    expected.add(DelayHeaders.ATTEMPT);
    expected.add(DelayHeaders.CONSUMER_SOURCE);
    expected.add(DelayHeaders.CONSUMER_TIMESTAMP);

    assertThat(headersOn("deadLetter")).isEqualTo(expected);
  }

  @Test
  void everyDeadLetterHasItsReasonTimeSourceAndAttempt() {
    assertThat(required("deadLetter"))
        .containsExactlyInAnyOrder(
            DelayHeaders.DEAD_REASON,
            DelayHeaders.DEAD_AT,
            DelayHeaders.SOURCE,
            DelayHeaders.ATTEMPT);
  }

  @Test
  void aDueTimeIsGivenInExactlyOneWay() {
    assertThat(texts(document.at("/components/messages/schedule/headers/oneOf"), "required"))
        .containsExactlyInAnyOrder(
            List.of(DelayHeaders.DELAY_MS),
            List.of(DelayHeaders.DELAY_DURATION),
            List.of(DelayHeaders.DELIVER_AT),
            List.of(DelayHeaders.CRON));
    assertThat(required("schedule")).containsExactly(DelayHeaders.TARGET_TOPIC);
  }

  @Test
  void theOperationsAreNamedLikeTheConstants() {
    assertThat(schema("opSchedule").path("const").asText()).isEqualTo(DelayHeaders.OP_SCHEDULE);
    assertThat(schema("opSchedule").path("default").asText()).isEqualTo(DelayHeaders.OP_SCHEDULE);
    assertThat(schema("opCancel").path("const").asText()).isEqualTo(DelayHeaders.OP_CANCEL);
    assertThat(new YAMLMapper().convertValue(schema("opAsk").path("enum"), String[].class))
        .containsExactly(
            DelayHeaders.OP_CANCEL,
            DelayHeaders.OP_MOVE,
            DelayHeaders.OP_SKIP,
            DelayHeaders.OP_REJECT,
            DelayHeaders.OP_PAUSE,
            DelayHeaders.OP_RESUME);
  }

  @Test
  void whatBecomesOfMissedOccurrencesIsNamedLikeTheConstants() {
    assertThat(new YAMLMapper().convertValue(schema("missed").path("enum"), String[].class))
        .containsExactly(
            DelayHeaders.MISSED_ONE, DelayHeaders.MISSED_ALL, DelayHeaders.MISSED_SKIP);
    assertThat(schema("missed").path("default").asText()).isEqualTo(DelayHeaders.MISSED_ONE);
  }

  @Test
  void theLengthOfAnIdIsTheConstant() {
    assertThat(schema("id").path("minLength").asInt()).isEqualTo(1);
    assertThat(schema("id").path("maxLength").asInt()).isEqualTo(DelayHeaders.MAX_ID_BYTES);
  }

  @Test
  void theReasonsAreThoseOfTheEnumeration() {
    assertThat(strings(schema("reason").path("enum")))
        .containsExactlyElementsOf(Arrays.stream(Reason.values()).map(Reason::name).toList());
  }

  @Test
  void theReasonsAreDescribedLikeTheEnumeration() {
    Map<String, String> described = new HashMap<>();
    schema("reason")
        .path("x-descriptions")
        .properties()
        .forEach(entry -> described.put(entry.getKey(), entry.getValue().asText()));

    assertThat(described)
        .isEqualTo(
            Arrays.stream(Reason.values())
                .collect(Collectors.toMap(Reason::name, Reason::description)));
  }

  @Test
  void theDefaultNamesOfTheTopicsAreTheConstants() {
    assertThat(document.at("/channels/intake/address").asText()).isEqualTo(DelayTopics.INTAKE);
    assertThat(document.at("/channels/deadLetter/address").asText())
        .isEqualTo(DelayTopics.DEAD_LETTER);
    assertThat(document.at("/channels/later/address").asText())
        .isEqualTo(DelayTopics.laterOf(DelayTopics.INTAKE));
  }

  @Test
  void theNameOfATargetIsAParameter() {
    assertThat(document.at("/channels/target/address").asText()).isEqualTo("{targetTopic}");
    assertThat(document.at("/channels/target/parameters").has("targetTopic")).isTrue();
  }

  @Test
  void everyHeaderHasATypeAMeaningAndAnExample() {
    List<String> messages =
        List.of("schedule", "cancel", "consumerRetry", "delivered", "deadLetter");

    for (String message : messages) {
      JsonNode properties = resolve(message(message).path("headers")).path("properties");
      for (Map.Entry<String, JsonNode> header : properties.properties()) {
        JsonNode schema = resolve(header.getValue());
        assertThat(schema.path("type").asText()).as(header.getKey()).isEqualTo("string");
        assertThat(schema.path("description").asText()).as(header.getKey()).isNotBlank();
        assertThat(schema.path("examples").path(0).asText()).as(header.getKey()).isNotBlank();
      }
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    List<JsonNode> references = document.findValues("$ref");

    assertThat(references)
        .isNotEmpty()
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.asText().substring(1)).isMissingNode())
                    .as(reference.asText())
                    .isFalse());
  }

  private static Set<String> headersOn(String channel) {
    Set<String> names = new TreeSet<>();
    for (JsonNode reference : document.at("/channels/" + channel + "/messages")) {
      resolve(resolve(reference).path("headers"))
          .path("properties")
          .fieldNames()
          .forEachRemaining(names::add);
    }
    return names;
  }

  private static Set<String> headersOf(String message) {
    Set<String> names = new TreeSet<>();
    message(message).at("/headers/properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> required(String message) {
    return new TreeSet<>(strings(message(message).at("/headers/required")));
  }

  private static JsonNode message(String name) {
    return document.at("/components/messages/" + name);
  }

  private static JsonNode schema(String name) {
    return document.at("/components/schemas/" + name);
  }

  private static JsonNode resolve(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }

  private static List<List<String>> texts(JsonNode array, String field) {
    List<List<String>> texts = new ArrayList<>();
    array.forEach(element -> texts.add(strings(element.path(field))));
    return texts;
  }

  private static List<String> strings(JsonNode array) {
    List<String> strings = new ArrayList<>();
    array.forEach(element -> strings.add(element.asText()));
    return strings;
  }
}
