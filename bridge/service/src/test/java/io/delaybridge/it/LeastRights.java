package io.delaybridge.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The rights that a bridge needs, read from the lines of docs/security.md. */
final class LeastRights {

  static final String USER = "delay-bridge";

  /** The suffix of a scenario's progress topic, after the name of its intake. */
  static final String PROGRESS = "-progress";

  private LeastRights() {}

  /** Returns the line of {@code redis.conf} without its first word, with a password. */
  static String redisUser(String password) {
    return redisLine().replace("PASSWORD", password);
  }

  /** The same for a node of a Redis Cluster. */
  static String redisClusterUser(String password) {
    String more = lines().filter(line -> line.startsWith("+cluster")).findFirst().orElseThrow();
    return redisUser(password) + " " + more;
  }

  /** Returns the line of {@code sentinel.conf} without its first word, with a password. */
  static String sentinelUser(String password) {
    return userLine("+sentinel").replace("PASSWORD", password);
  }

  /** The commands that the line allows. */
  static Set<String> redisCommands() {
    Set<String> commands = new TreeSet<>();
    Stream.of(redisLine().split(" +", -1))
        .filter(word -> word.startsWith("+"))
        .forEach(word -> commands.add(word.substring(1)));
    return commands;
  }

  private static String redisLine() {
    return userLine("+evalsha");
  }

  private static String userLine(String with) {
    return lines()
        .filter(line -> line.startsWith("user " + USER) && line.contains(with))
        .map(line -> line.substring("user ".length()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the bindings that the kafka-acls.sh calls add, for the topics of a scenario. */
  static List<AclBinding> kafka(Scenario scenario) {
    return documented(
            line ->
                line.replace("delay-intake", scenario.intake)
                    .replace("delay-deadletter", scenario.deadLetters)
                    .replace("delay-progress", scenario.intake + PROGRESS)
                    .replace("--topic orders", "--topic " + scenario.target)
                    .replace("--group " + USER, "--group " + scenario.group)
                    .replace("--transactional-id " + USER, "--transactional-id " + scenario.group))
        .toList();
  }

  /** Returns the same bindings with the names in the document. */
  static Stream<AclBinding> documented() {
    return documented(line -> line);
  }

  private static Stream<AclBinding> documented(UnaryOperator<String> names) {
    return lines()
        .filter(line -> line.startsWith("kafka-acls.sh"))
        .map(names)
        .flatMap(LeastRights::bindings);
  }

  private static Stream<AclBinding> bindings(String line) {
    List<String> words = Arrays.asList(line.split(" +", -1));
    ResourcePattern resource =
        Stream.of(ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID)
            .filter(type -> words.contains(option(type)))
            .map(type -> new ResourcePattern(type, after(words, option(type)), type(words)))
            .findFirst()
            .orElseGet(
                () ->
                    new ResourcePattern(
                        ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL));
    List<AclBinding> bindings = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equals("--operation")) {
        AclOperation operation = AclOperation.fromString(upper(words.get(i + 1)));
        bindings.add(
            new AclBinding(
                resource,
                new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW)));
      }
    }
    return bindings.stream();
  }

  private static String option(ResourceType type) {
    return "--" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static PatternType type(List<String> words) {
    return words.contains("prefixed") ? PatternType.PREFIXED : PatternType.LITERAL;
  }

  private static String after(List<String> words, String option) {
    return words.get(words.indexOf(option) + 1);
  }

  /** {@code DescribeConfigs} as the enum has it. */
  private static String upper(String operation) {
    return Pattern.compile("(?<=[a-z])(?=[A-Z])")
        .matcher(operation)
        .replaceAll("_")
        .toUpperCase(Locale.ROOT);
  }

  /** Returns the lines of the document, each joined with the next if it ends in a backslash. */
  private static Stream<String> lines() {
    Path document = Path.of("..", "..", "docs", "security.md");
    try {
      return Files.readString(document).replaceAll(" *\\\\\\R *", " ").lines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
