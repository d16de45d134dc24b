package io.delaybridge.deadletter.index;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.QueryableStoreType;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.StateStoreProvider;

/**
 * A global store in a few Java collections. Its processor fills it, also when Kafka Streams starts
 * and reads the topic from its beginning. So there is nothing to restore, write or flush.
 */
abstract class MemoryStore implements StateStore {

  private final String name;
  private volatile boolean open;

  MemoryStore(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void init(StateStoreContext context, StateStore root) {
    open = true;
    context.register(
        root,
        (key, value) -> {
          throw new IllegalStateException("the processor of " + name + " restores it");
        });
  }

  @Override
  public final void flush() {
    // There is nowhere to flush to.
  }

  @Override
  public final void close() {
    open = false;
  }

  @Override
  public final boolean persistent() {
    return false;
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  /** Builds the store for a topology. */
  record Builder<T extends MemoryStore>(String name, Supplier<T> factory)
      implements StoreBuilder<T> {

    @Override
    public StoreBuilder<T> withCachingEnabled() {
      return this;
    }

    @Override
    public StoreBuilder<T> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<T> withLoggingEnabled(Map<String, String> config) {
      throw new UnsupportedOperationException("a global store has no changelog");
    }

    @Override
    public StoreBuilder<T> withLoggingDisabled() {
      return this;
    }

    @Override
    public T build() {
      return factory.get();
    }

    @Override
    public Map<String, String> logConfig() {
      return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
      return false;
    }
  }

  /** Finds the store for a query. */
  record Type<T extends MemoryStore>(Class<T> kind) implements QueryableStoreType<T> {

    @Override
    public boolean accepts(StateStore store) {
      return kind.isInstance(store);
    }

    @Override
    public T create(StateStoreProvider provider, String name) {
      return provider.stores(name, this).get(0);
    }
  }
}
