package io.delaybridge.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The fate of pipelined calls when Redis has forgotten the script. */
class ScriptTest {

  private final List<String> commands = new ArrayList<>();
  private final List<CompletableFuture<List<Object>>> sent = new ArrayList<>();

  @Test
  void oneCallBringsTheTextOnlyToARedisThatDoesNotKnowTheScript() {
    List<CompletableFuture<List<Object>>> answers = run(1);
    assertThat(commands).containsExactly("evalsha");

    unknown(0);
    assertThat(commands).containsExactly("evalsha", "eval");
    sent.get(1).complete(List.of("done"));

    assertThat(answers.get(0)).isCompletedWithValue(List.of("done"));
  }

  @Test
  void theFirstOfSeveralCallsBringsTheTextSoNoneIsOvertaken() {
    List<CompletableFuture<List<Object>>> answers = run(3);
    sent.get(0).complete(List.of("first"));
    sent.get(1).complete(List.of("second"));
    sent.get(2).complete(List.of("third"));

    assertThat(commands).containsExactly("eval", "evalsha", "evalsha");
    assertThat(answers)
        .extracting(CompletableFuture::join)
        .containsExactly(List.of("first"), List.of("second"), List.of("third"));
  }

  @Test
  void aCallThatFailsOtherwiseIsNotSentAgain() {
    List<CompletableFuture<List<Object>>> answers = run(2);

    sent.get(1).completeExceptionally(new RedisCommandTimeoutException("no answer"));

    assertThat(commands).hasSize(2);
    assertThat(answers.get(1)).isCompletedExceptionally();
  }

  private List<CompletableFuture<List<Object>>> run(int calls) {
    List<byte[][]> args = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      args.add(new byte[0][]);
    }
    return Script.INGEST.run(redis(), new byte[0][], args);
  }

  private void unknown(int call) {
    sent.get(call).completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
  }

  /** Returns commands that answer when the test says so. */
  @SuppressWarnings("unchecked")
  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return (RedisClusterAsyncCommands<byte[], byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RedisClusterAsyncCommands.class},
            (proxy, method, args) -> sent(method.getName()));
  }

  private PipelinedRedisFuture<List<Object>> sent(String command) {
    PipelinedRedisFuture<List<Object>> answer =
        new PipelinedRedisFuture<>(new CompletableFuture<>());
    commands.add(command);
    sent.add(answer);
    return answer;
  }
}
