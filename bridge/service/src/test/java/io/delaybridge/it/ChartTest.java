package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The output of the Helm chart for its values. */
class ChartTest {

  private static final String LEAST =
      """
      kafka: {bootstrapServers: "kafka:9092"}
      redis: {uri: "redis://redis:6379"}
      """;

  private static final String EVERYTHING =
      LEAST
          + """
          tokens: {secret: my-tokens}
          tls: {secret: my-tls, passwordSecret: my-tls}
          env: [{name: MORE, valueFrom: {secretKeyRef: {name: my-kafka, key: password}}}]
          secrets: [{name: kafka, secret: my-kafka}]
          pullSecrets: [my-registry]
          podAnnotations: {mine: "true"}
          podLabels: {mine: "true"}
          serviceAccount: {annotations: {"cloud.example/role": delay-bridge}}
          extraVolumes: [{name: jars, emptyDir: {}}]
          extraVolumeMounts: [{name: jars, mountPath: /opt/delay-bridge/plugins}]
          initContainers:
            - name: jars
              image: my-jars
              command: [cp, -r, /jars/., /plugins]
              volumeMounts: [{name: jars, mountPath: /plugins}]
          nodeSelector: {disk: fast}
          tolerations: [{key: mine, operator: Exists}]
          priorityClassName: high
          cpu: {limit: "2"}
          networkPolicy:
            metrics: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
            api: [{namespaceSelector: {}}]
            egress: [{ports: [{port: 9092}]}]
          podMonitor: {enabled: true}
          prometheusRule: {enabled: true}
          dashboard: {enabled: true, datasource: mine}
          strimzi:
            enabled: true
            cluster: my-cluster
            user: {enabled: true, targets: [{name: orders, patternType: prefix}]}
          config: {intake: {horizon: 1 hour}, delivery: {progressTopic: delay-progress}}
          """;

  @TempDir private Path dir;

  @BeforeAll
  static void helm() {
    Chart.assumeHelm();
  }

  private static String text(Path file) throws IOException {
    return Files.readString(Chart.ROOT.resolve(file));
  }

  @Test
  void helmFindsNothingToSay() throws Exception {
    Path values = Files.writeString(dir.resolve("values.yaml"), EVERYTHING);

    Chart.Said said =
        Chart.run(
            List.of(
                "helm", "lint", "--strict", Chart.DIR.toString(), "--values", values.toString()));

    assertThat(said.exit()).as(said.text()).isZero();
  }

  @Test
  void theLeastThatIsNeededIsTwoAddresses() throws Exception {
    List<JsonNode> all = Chart.render(LEAST);

    assertThat(all)
        .extracting(each -> each.path("kind").asText())
        .containsExactlyInAnyOrder(
            "ServiceAccount", "PodDisruptionBudget", "NetworkPolicy", "ConfigMap", "Deployment");
    JsonNode server = config(all).path("server");
    assertThat(server.at("/applicationConnectors/0/bindHost").asText())
        .as("nobody has a token")
        .isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replicas: 0|replicas",
        "replica: 2|replica",
        "memory: 1G|memory",
        "memory: 512Mi|memory",
        "kafka: {bootstrapServers: kafka}|kafka/bootstrapServers",
        "kafka: {bootstrapServers: ''}|kafka/bootstrapServers",
        "redis: {uri: 'http://redis'}|redis/uri",
        "config: {kafak: {}}|kafak",
        "config: {kafka: {bootstrapServers: 'k:1'}}|config/kafka/bootstrapServers",
        "config: {server: {adminConnectors: []}}|config/server/adminConnectors",
        "config: {api: {insecure: true}}|config/api/insecure",
        "config: {kafka: {groupId: off}}|config/kafka/groupId",
        "config: {redis: {prefix: 007}}|config/redis/prefix",
        "config: {intake: {topics: [off]}}|config/intake/topics",
        "image: {digest: latest}|image/digest",
        "tls: {secret: mine}|tls/passwordSecret",
        "env: [{name: JAVA_OPTS, value: x}]|env/0/name",
        "secrets: [{name: tokens, secret: x}]|secrets/0/name",
        "strimzi: {enabled: true}|strimzi/cluster",
        "podMonitor: {enabled: 'yes'}|podMonitor/enabled",
        "podLabels: {app.kubernetes.io/name: mine}|podLabels",
        "podSecurityContext: 10001|podSecurityContext",
        "serviceAccount: {annotation: {}}|annotation",
        "serviceAccount: {annotations: {a: 1}}|serviceAccount/annotations",
        "extraVolumes: [{name: tmp, emptyDir: {}}]|extraVolumes/0/name",
        "extraVolumes: [{emptyDir: {}}]|name",
      })
  void aWrongValueIsNamed(String values, String name) throws Exception {
    Path least = Files.writeString(dir.resolve("least.yaml"), LEAST);
    Path wrong = Files.writeString(dir.resolve("wrong.yaml"), values);

    Chart.Said said =
        Chart.run(
            List.of(
                "helm",
                "template",
                Chart.DIR.toString(),
                "--values",
                least.toString(),
                "--values",
                wrong.toString()));

    assertThat(said.exit()).isNotZero();
    assertThat(said.text().replace('.', '/')).contains(name);
  }

  @Test
  void theSchemaKnowsTheSectionsOfTheConfiguration() throws Exception {
    Set<String> known =
        names(
            Chart.YAML
                .readTree(Chart.DIR.resolve("values.schema.json").toFile())
                .at("/properties/config/properties"));

    assertThat(known)
        .isEqualTo(names(Chart.YAML.readTree(text(Path.of("bridge/service/config.yml")))));
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void whatIsNotSaidIsAsInTheConfigurationOfTheServiceAndWhatIsSaidWins() throws Exception {
    String defaults = text(Path.of("bridge/service/config.yml"));
    JsonNode shipped = Chart.YAML.readTree(defaults.replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1"));
    String own =
        """
        config:
          deadLetters: {enabled: false, maxIndexed: 0}
          intake: {topics: [a, b], horizon: 2 hours}
          kafka: {groupId: "off", properties: {security.protocol: SSL}}
          redis: {prefix: "007"}
        """;

    JsonNode config = config(Chart.render(LEAST + own));

    for (String section : List.of("intakes", "targets", "delivery", "topics", "logging")) {
      assertThat(config.path(section)).as(section).isEqualTo(shipped.path(section));
    }
    assertThat(config.at("/deadLetters/enabled"))
        .isEqualTo(JsonNodeFactory.instance.booleanNode(false));
    assertThat(config.at("/deadLetters/maxIndexed").asInt(-1)).isZero();
    assertThat(config.at("/deadLetters/alert")).isEqualTo(shipped.at("/deadLetters/alert"));
    assertThat(config.at("/intake/topics")).hasSize(2);
    assertThat(config.at("/intake/horizon").asText()).isEqualTo("2 hours");
    assertThat(config.at("/kafka/groupId")).isEqualTo(TextNode.valueOf("off"));
    assertThat(config.at("/redis/prefix")).isEqualTo(TextNode.valueOf("007"));
    assertThat(config.at("/kafka/properties/security.protocol").asText()).isEqualTo("SSL");
    assertThat(config.at("/kafka/bootstrapServers").asText()).isEqualTo("kafka:9092");
  }

  @Test
  void aSecretMayHaveAnyCharacterThatYamlGivesAMeaning() throws Exception {
    String own =
        """
        kafka: {bootstrapServers: "kafka:9092"}
        redis: {uri: "redis://redis:6379"}
        tls: {secret: my-tls, passwordSecret: my-tls}
        config: {kafka: {properties: {ssl.key.password: "${TLS_PASSWORD}"}}}
        """;
    String secret = "@a: \"b\" #c";

    String rendered = configText(Chart.render(own)).replace("${TLS_PASSWORD}", secret);

    JsonNode config = Chart.YAML.readTree(rendered);
    assertThat(config.at("/kafka/properties/ssl.key.password").asText()).isEqualTo(secret);
    assertThat(config.at("/server/applicationConnectors/0/keyStorePassword").asText())
        .isEqualTo(secret);
  }

  private static JsonNode config(List<JsonNode> all) throws IOException {
    return Chart.YAML.readTree(configText(all));
  }

  private static String configText(List<JsonNode> all) {
    JsonNode map =
        all.stream().filter(each -> each.at("/data").has("config.yml")).findFirst().orElseThrow();
    return map.at("/data/config.yml").asText();
  }

  @Test
  void aRolloutNeverHasOneLessAndWaitsUntilANewOneIsWarm() throws Exception {
    JsonNode spec = Chart.one(Chart.render(LEAST), "Deployment").path("spec");

    assertThat(spec.at("/strategy/rollingUpdate/maxUnavailable").asInt(-1)).isZero();
    assertThat(spec.path("minReadySeconds").asInt()).isEqualTo(20);
  }

  /** OpenShift refuses a user, a group and a group of volumes that it has not chosen itself. */
  @Test
  void eachFieldOfASecurityContextCanBeLeftOut() throws Exception {
    String own =
        """
        podSecurityContext: {runAsUser: null, runAsGroup: null, fsGroup: null}
        securityContext: {readOnlyRootFilesystem: null, runAsUser: 7}
        """;
    JsonNode pod = pod(LEAST + own);
    JsonNode plain = pod(LEAST);

    assertThat(names(plain.path("securityContext")))
        .containsExactlyInAnyOrder(
            "runAsNonRoot", "runAsUser", "runAsGroup", "fsGroup", "seccompProfile");
    assertThat(names(pod.path("securityContext")))
        .containsExactlyInAnyOrder("runAsNonRoot", "seccompProfile");
    assertThat(names(pod.at("/containers/0/securityContext")))
        .containsExactlyInAnyOrder("allowPrivilegeEscalation", "capabilities", "runAsUser");
  }

  @Test
  void aSecurityContextCanBeLeftOutAsAWhole() throws Exception {
    JsonNode pod = pod(LEAST + "podSecurityContext: null\nsecurityContext: null\n");

    assertThat(pod.has("securityContext")).isFalse();
    assertThat(pod.at("/containers/0").has("securityContext")).isFalse();
  }

  @Test
  void theNumberOfPodsCanBeLeftToAnAutoscaler() throws Exception {
    JsonNode own = Chart.one(Chart.render(LEAST + "replicas: null"), "Deployment");
    JsonNode plain = Chart.one(Chart.render(LEAST), "Deployment");

    assertThat(own.path("spec").has("replicas")).isFalse();
    assertThat(plain.at("/spec/replicas").asInt()).isEqualTo(2);
  }

  @Test
  void aCloudKnowsThePodByItsServiceAccountAndLabels() throws Exception {
    List<JsonNode> all = Chart.render(EVERYTHING);
    JsonNode account = Chart.one(all, "ServiceAccount");
    JsonNode template = Chart.one(all, "Deployment").at("/spec/template");

    assertThat(account.at("/metadata/annotations/cloud.example~1role").asText())
        .isEqualTo("delay-bridge");
    assertThat(template.at("/spec/serviceAccountName")).isEqualTo(account.at("/metadata/name"));
    assertThat(template.at("/metadata/labels/mine").asText()).isEqualTo("true");
    assertThat(template.at("/metadata/labels/app.kubernetes.io~1instance").asText())
        .isEqualTo("later");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|later-delay-bridge|true",
        "{name: mine}|mine|true",
        "{name: mine, create: false}|mine|false",
        "{create: false}|default|false",
      })
  void theServiceAccountIsTheOneThatIsNamed(String own, String name, boolean made)
      throws Exception {
    List<JsonNode> all = Chart.render(LEAST + "serviceAccount: " + own);

    assertThat(Chart.one(all, "Deployment").at("/spec/template/spec/serviceAccountName").asText())
        .isEqualTo(name);
    assertThat(Chart.one(all, "ServiceAccount").at("/metadata/name").asText(""))
        .isEqualTo(made ? name : "");
  }

  @Test
  void jarsOfOthersComeFromAVolumeToTheFolderOfTheImage() throws Exception {
    JsonNode pod = pod(EVERYTHING);
    JsonNode mounts = pod.at("/containers/0/volumeMounts");
    String folder = mounts.get(mounts.size() - 1).path("mountPath").asText();

    assertThat(pod.path("volumes")).extracting(each -> each.path("name").asText()).contains("jars");
    assertThat(pod.at("/initContainers/0/image").asText()).isEqualTo("my-jars");
    assertThat(text(Path.of("docker/Dockerfile")))
        .contains("WORKDIR " + Path.of(folder).getParent());
    assertThat(text(Path.of("docker/entrypoint"))).contains(Path.of(folder).getFileName() + "/*'");
    assertThat(text(Path.of("docker/kubernetes/README.md"))).contains(folder);
  }

  private static JsonNode pod(String values) throws Exception {
    return Chart.one(Chart.render(values), "Deployment").at("/spec/template/spec");
  }

  @Test
  void anotherConfigurationIsAnotherPod() throws Exception {
    String checksum = "/spec/template/metadata/annotations/checksum~1config";
    String one = Chart.one(Chart.render(LEAST), "Deployment").at(checksum).asText();
    String same =
        Chart.one(Chart.render(LEAST + "replicas: 3"), "Deployment").at(checksum).asText();
    String other =
        Chart.one(Chart.render(LEAST + "config: {topics: {partitions: 9}}"), "Deployment")
            .at(checksum)
            .asText();

    assertThat(one).hasSize(64).isEqualTo(same).isNotEqualTo(other);
  }

  @ParameterizedTest
  @CsvSource({"600Mi, 300, 150", "1Gi, 512, 256", "1536Mi, 768, 384", "4Gi, 2048, 1024"})
  void theHeapGoesWithTheMemory(String memory, int heap, int direct) throws Exception {
    JsonNode container =
        Chart.one(Chart.render(LEAST + "memory: " + memory), "Deployment")
            .at("/spec/template/spec/containers/0");

    assertThat(container.at("/resources/limits/memory").asText()).isEqualTo(memory);
    assertThat(container.at("/resources/requests/memory").asText()).isEqualTo(memory);
    assertThat(container.at("/env/0/value").asText())
        .isEqualTo("-Xmx%dm -XX:MaxDirectMemorySize=%dm".formatted(heap, direct));
  }

  @Test
  void alertsAndDashboardAreThoseOfTheProject() throws Exception {
    List<JsonNode> all = Chart.render(EVERYTHING);

    String job =
        Chart.one(all, "PodMonitor")
            .at("/spec/podMetricsEndpoints/0/relabelings/0/replacement")
            .asText();

    assertThat(job).matches("[a-z-]+/[a-z-]+");
    assertThat(Chart.one(all, "PrometheusRule").path("spec"))
        .as("with the job of the release")
        .isEqualTo(
            Chart.YAML.readTree(
                text(Path.of("docker/prometheus/rules.yml"))
                    .replace("job=\"delay-bridge\"", "job=\"%s\"".formatted(job))));
    String dashboard =
        all.stream()
            .map(each -> each.at("/data/delay-bridge.json"))
            .filter(JsonNode::isTextual)
            .findFirst()
            .orElseThrow()
            .asText();
    assertThat(new ObjectMapper().readTree(dashboard))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    text(Path.of("docker/grafana/dashboards/delay-bridge.json"))
                        .replace("delay-bridge-prometheus", "mine")));
  }

  @Test
  void theUserOfStrimziHasTheRightsOfTheDocumentAndNoMore() throws Exception {
    Set<String> rights = new TreeSet<>();
    for (JsonNode acl :
        Chart.one(Chart.render(EVERYTHING), "KafkaUser").at("/spec/authorization/acls")) {
      JsonNode on = acl.path("resource");
      for (JsonNode operation : acl.path("operations")) {
        rights.add(
            "%s %s %s %s"
                .formatted(
                    upper(on.path("type").asText()),
                    on.path("name").asText("kafka-cluster"),
                    on.path("patternType").asText("literal").equals("prefix")
                        ? "PREFIXED"
                        : "LITERAL",
                    upper(operation.asText())));
      }
    }

    assertThat(rights)
        .isEqualTo(
            new TreeSet<>(
                LeastRights.documented()
                    .map(
                        right ->
                            "%s %s %s %s"
                                .formatted(
                                    right.pattern().resourceType(),
                                    right.pattern().name(),
                                    right.pattern().patternType(),
                                    right.entry().operation()))
                    .toList()));
  }

  /** {@code transactionalId} as Kafka's enums have it. */
  private static String upper(String camel) {
    return camel.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
  }

  @Test
  void strimziMakesTheTopicsInPlaceOfTheBridge() throws Exception {
    List<JsonNode> all = Chart.render(EVERYTHING);
    List<JsonNode> topics =
        all.stream().filter(each -> each.path("kind").asText().equals("KafkaTopic")).toList();

    assertThat(topics)
        .extracting(each -> each.at("/spec/topicName").asText())
        .containsExactlyInAnyOrder(
            "delay-intake",
            "delay-intake-later",
            "delay-deadletter",
            "delay-deadletter-marks",
            "delay-progress");
    assertThat(topics)
        .allSatisfy(
            each ->
                assertThat(each.at("/metadata/annotations/helm.sh~1resource-policy").asText())
                    .isEqualTo("keep"));
    assertThat(config(all).at("/topics/create").asBoolean(true)).isFalse();
  }

  @Test
  void theLaterTopicHasARetentionOfItsOwnAndThreeCopiesAreSafe() throws Exception {
    String strimzi = "strimzi: {enabled: true, cluster: mine, replicas: %d, laterRetentionMs: 7}\n";
    Map<String, JsonNode> three = topics(Chart.render(LEAST + strimzi.formatted(3)));
    Map<String, JsonNode> two = topics(Chart.render(LEAST + strimzi.formatted(2)));

    assertThat(retention(three, "delay-intake")).isEqualTo(432_000_000);
    assertThat(retention(three, "delay-intake-later")).isEqualTo(7);
    assertThat(three.values())
        .allSatisfy(each -> assertThat(each.path("min.insync.replicas").asInt()).isEqualTo(2));
    assertThat(two.values())
        .allSatisfy(each -> assertThat(each.has("min.insync.replicas")).isFalse());
  }

  private static long retention(Map<String, JsonNode> topics, String topic) {
    return Objects.requireNonNull(topics.get(topic)).path("retention.ms").asLong();
  }

  private static Map<String, JsonNode> topics(List<JsonNode> all) {
    return all.stream()
        .filter(each -> each.path("kind").asText().equals("KafkaTopic"))
        .collect(
            Collectors.toMap(
                each -> each.at("/spec/topicName").asText(), each -> each.at("/spec/config")));
  }

  @ParameterizedTest
  @CsvSource({"30 seconds, 60", "60 seconds, 60", "10 minutes, 330"})
  void aPodMayWaitForKafkaAsLongAsTheBridgeDoes(String timeout, int failures) throws Exception {
    String config = "config: {kafka: {startTimeout: %s}}".formatted(timeout);
    JsonNode container =
        Chart.one(Chart.render(LEAST + config), "Deployment")
            .at("/spec/template/spec/containers/0");

    assertThat(container.at("/startupProbe/failureThreshold").asInt()).isEqualTo(failures);
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/ready");
  }

  @Test
  void theChartIsForTheVersionOfTheProject() throws Exception {
    JsonNode chart = Chart.YAML.readTree(text(Path.of("docker/kubernetes/Chart.yaml")));
    String version = chart.path("appVersion").asText();

    assertThat(text(Path.of("pom.xml"))).contains("<version>" + version + "</version>");
    assertThat(version).startsWith(chart.path("version").asText());
  }

  /** With the rights in any case: messages may wait there from a time with another horizon. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|true",
        "{intake: {horizon: 0s}}|false",
        "{intake: {horizon: 0 seconds, longestDelay: 1 day}}|false",
        "{intake: {longestDelay: 1 day}}|false",
        "{intake: {longestDelay: 24h}}|false",
        "{intake: {longestDelay: 1441 minutes}}|true",
        "{intake: {horizon: 1 min, longestDelay: 2000 ms}}|false",
        "{intake: {longestDelay: '${LONGEST}'}}|true",
        "{intake: {horizon: '${HORIZON}', longestDelay: 1s}}|true",
        "{intakes: {delay-intake: {longestDelay: 12 hours}}}|false",
        "{intake: {longestDelay: 1 hour}, intakes: {delay-intake: {horizon: 59 m}}}|true",
      })
  void aLaterTopicIsMadeIfAMessageCanBeFar(String config, boolean made) throws Exception {
    String strimzi = "strimzi: {enabled: true, cluster: mine, user: {enabled: true}}\n";

    List<JsonNode> all = Chart.render(LEAST + strimzi + "config: " + config);

    assertThat(all.stream().map(each -> each.at("/spec/topicName").asText()).toList())
        .contains("delay-intake")
        .satisfies(
            names -> assertThat(names.contains("delay-intake-later")).as("made").isEqualTo(made));
    assertThat(Chart.one(all, "KafkaUser").at("/spec/authorization/acls"))
        .extracting(acl -> acl.at("/resource/name").asText())
        .contains("delay-intake-later");
  }

  @Test
  void theArchiveHasWhatTheDirectoryLinksTo() throws Exception {
    Chart.Said said =
        Chart.run(
            List.of("helm", "package", Chart.DIR.toString(), "--destination", dir.toString()));
    assertThat(said.exit()).as(said.text()).isZero();
    Path archive;
    try (Stream<Path> files = Files.list(dir)) {
      archive = files.filter(file -> file.toString().endsWith(".tgz")).findFirst().orElseThrow();
    }

    assertThat(Chart.documents(Chart.template(archive, EVERYTHING).text()))
        .hasSizeGreaterThan(10)
        .isEqualTo(Chart.render(EVERYTHING));
  }

  @Test
  void kubernetesTakesItInItsThreeNewestVersions() throws Exception {
    Chart.assumeProgram("kubernetes-validate", "pip install kubernetes-validate");
    List<JsonNode> all = new ArrayList<>(Chart.render(LEAST));
    all.addAll(Chart.render(EVERYTHING));
    List<String> files = new ArrayList<>();
    for (JsonNode each : all) {
      // Kubernetes has no schemas for these.
      if (!each.path("apiVersion").asText().contains(".co")
          && !each.path("apiVersion").asText().contains("strimzi")) {
        Path file = dir.resolve(files.size() + ".yaml");
        Chart.YAML.writeValue(file.toFile(), each);
        files.add(file.toString());
      }
    }
    for (String version : newest()) {
      List<String> command =
          new ArrayList<>(List.of("kubernetes-validate", "--strict", "-k", version));
      command.addAll(files);
      Chart.Said said = Chart.run(command);
      assertThat(said.exit()).as(said.text()).isZero();
      assertThat(said.text()).contains(version).doesNotContain("WARN", "ERROR");
    }
    Path wrong =
        Files.writeString(
            dir.resolve("wrong.yaml"),
            "{apiVersion: apps/v1, kind: Deployment, spec: {replica: 1}}");
    assertThat(Chart.run(List.of("kubernetes-validate", "--strict", wrong.toString())).exit())
        .as("it does look")
        .isNotZero();
  }

  /** Returns the versions for which the tool has schemas; the newest is its default. */
  private static List<String> newest() throws Exception {
    Matcher newest =
        Pattern.compile("Defaults\\s+to\\s+(\\d+)\\.(\\d+)")
            .matcher(Chart.run(List.of("kubernetes-validate", "--help")).text());
    assertThat(newest.find()).isTrue();
    int minor = Integer.parseInt(newest.group(2));
    return Stream.of(minor, minor - 1, minor - 2)
        .map(each -> newest.group(1) + "." + each)
        .toList();
  }
}
