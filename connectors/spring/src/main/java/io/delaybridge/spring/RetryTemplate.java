package io.delaybridge.spring;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.serializer.DelegatingByTypeSerializer;
import org.springframework.util.ClassUtils;

/**
 * A template for the recoverer, with its own producers. They write bytes as they are, and
 * everything else with the serializers of the application. A listener that reads bytes therefore
 * gets the same bytes again, whatever the application writes otherwise. Values that could not be
 * deserialized keep their bytes too.
 *
 * <p>Its producers write with {@code acks=all}, and idempotently unless {@code retries} is 0,
 * whatever else the application says: a retry that Kafka has not stored must not count as written.
 * They compress and accept records of up to 16 MiB, unless the application sets that otherwise. The
 * post-processors and listeners of the application's factory apply to them, too.
 *
 * <p>Its transactional ids begin with those of the application, followed by {@code delay-bridge-}.
 */
public final class RetryTemplate implements AutoCloseable {

  /** What listeners are told the producers belong to. */
  private static final String NAME = "delayBridgeRetryTemplate";

  private static final String TRANSACTIONS = "delay-bridge-";

  /** Bytes. */
  private static final int MAX_REQUEST_SIZE = 16 << 20;

  private final DefaultKafkaProducerFactory<Object, Object> producers;
  private final KafkaTemplate<Object, Object> template;

  /**
   * Uses the configuration and the serializers of this factory.
   *
   * @throws IllegalArgumentException if one of its serializers cannot be found
   */
  public RetryTemplate(ProducerFactory<?, ?> application) {
    Map<String, Object> config = new HashMap<>(application.getConfigurationProperties());
    // The record may have been compressed, and a retry has more headers. A record that cannot be
    // written stops its partition.
    config.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    config.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_SIZE);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    // With Kafka's own defaults of these two it is idempotent, unless the application sets retries
    // to
    // 0.
    config.remove(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG);
    config.remove(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
    String prefix = application.getTransactionIdPrefix();
    if (prefix != null) {
      config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + TRANSACTIONS);
    }
    boolean configures =
        !(application instanceof DefaultKafkaProducerFactory<?, ?> known)
            || known.isConfigureSerializers();
    this.producers =
        new DefaultKafkaProducerFactory<>(
            config,
            () ->
                bytesOr(
                    application.getKeySerializerSupplier(),
                    config.get(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG)),
            () ->
                bytesOr(
                    application.getValueSerializerSupplier(),
                    config.get(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG)),
            configures);
    producers.setBeanName(NAME);
    take(application, producers);
    this.template = new KafkaTemplate<>(producers);
  }

  /** A producer is the same to them, whatever it writes. */
  @SuppressWarnings("unchecked")
  private static void take(
      ProducerFactory<?, ?> application, ProducerFactory<Object, Object> producers) {
    ProducerFactory<Object, Object> untyped = (ProducerFactory<Object, Object>) application;
    untyped.getPostProcessors().forEach(producers::addPostProcessor);
    untyped.getListeners().forEach(producers::addListener);
  }

  /** Returns the template, which works until this is closed. */
  public KafkaTemplate<Object, Object> template() {
    return template;
  }

  /** Closes the producers. */
  @Override
  public void close() {
    producers.destroy();
  }

  private static Serializer<Object> bytesOr(
      @Nullable Supplier<? extends @Nullable Serializer<?>> supplier, @Nullable Object named) {
    Serializer<?> given = supplier == null ? null : supplier.get();
    Map<Class<?>, Serializer<?>> byType = new LinkedHashMap<>();
    byType.put(byte[].class, new ByteArraySerializer());
    byType.put(Object.class, given == null ? created(named) : given);
    return new DelegatingByTypeSerializer(byType, true);
  }

  private static Serializer<?> created(@Nullable Object named) {
    Class<?> type =
        named instanceof Class<?> known
            ? known
            : ClassUtils.resolveClassName(
                String.valueOf(named), ClassUtils.getDefaultClassLoader());
    return (Serializer<?>) BeanUtils.instantiateClass(type);
  }
}
