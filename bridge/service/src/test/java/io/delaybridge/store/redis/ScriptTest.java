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

  private final List<CompletableFuture<List<Object>>> byDigest = new ArrayList<>();
  private final List<CompletableFuture<List<Object>>> byText = new ArrayList<>();

  @Test
  void callsAreSentWithTheTextInTheirOrderWhateverThreadHearsOfIt() {
    List<CompletableFuture<List<Object>>> answers = run(3);
    byDigest.forEach(ScriptTest::unknown);

    assertThat(byText).hasSize(1);
    byText.get(0).complete(List.of("first"));
    assertThat(byText).hasSize(2);
    byText.get(1).complete(List.of("second"));
    byText.get(2).complete(List.of("third"));

    assertThat(answers)
        .extracting(CompletableFuture::join)
        .containsExactly(List.of("first"), List.of("second"), List.of("third"));
  }

  @Test
  void aCallThatFailsDoesNotKeepTheNextOneBack() {
    List<CompletableFuture<List<Object>>> answers = run(2);
    byDigest.forEach(ScriptTest::unknown);

    byText.get(0).completeExceptionally(new RedisCommandTimeoutException("no answer"));
    byText.get(1).complete(List.of("second"));

    assertThat(answers.get(0)).isCompletedExceptionally();
    assertThat(answers.get(1)).isCompletedWithValue(List.of("second"));
  }

  private List<CompletableFuture<List<Object>>> run(int calls) {
    List<byte[][]> args = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      args.add(new byte[0][]);
    }
    return Script.INGEST.run(redis(), new byte[0][], args);
  }

  private static void unknown(CompletableFuture<List<Object>> call) {
    call.completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
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
    (command.equals("eval") ? byText : byDigest).add(answer);
    return answer;
  }
}
