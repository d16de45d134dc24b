package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends the records of a turn without a transaction, in one flush unless a message repeats. A
 * successor goes out only once its occurrence is out. When it is read, it takes the place of the
 * message, which could not be tried again.
 */
final class TwoFlushes {

  private final Delivery delivery;
  private final List<Sent> sent;
  private final Packing packing;
  private final ConsumerGroupMetadata group;
  private final RecordMetadata[] written;
  private final Map<Integer, Exception> accused = new HashMap<>();
  private final Set<Integer> unwritten = new HashSet<>();
  private boolean othersWentThrough = true;

  private TwoFlushes(
      Delivery delivery, List<Sent> sent, Packing packing, ConsumerGroupMetadata group) {
    this.delivery = delivery;
    this.sent = sent;
    this.packing = packing;
    this.group = group;
    this.written = new RecordMetadata[sent.size()];
  }

  /** Returns the outcome of both, with the records by their index in the list. */
  static Outcome run(
      Delivery delivery, List<Sent> sent, Packing packing, ConsumerGroupMetadata group) {
    return new TwoFlushes(delivery, sent, packing, group).run();
  }

  private Outcome run() {
    List<Integer> successors = indices(true);
    if (successors.isEmpty()) {
      return delivery.deliver(sent.stream().map(Sent::record).toList(), packing, Map.of(), group);
    }
    Outcome first = flush(indices(false));
    if (first instanceof Outcome.NotOut) {
      return first;
    }
    List<Integer> next = successors.stream().filter(i -> !unwritten.contains(i - 1)).toList();
    unwritten.addAll(successors);
    if (!next.isEmpty() && flush(next) instanceof Outcome.NotOut) {
      // What the first flush wrote is out all the same.
      othersWentThrough = false;
    }
    return unwritten.isEmpty()
        ? new Outcome.Done(List.of(written))
        : new Outcome.Refused(accused, unwritten, othersWentThrough);
  }

  private List<Integer> indices(boolean successors) {
    return IntStream.range(0, sent.size())
        .filter(i -> isSuccessor(i) == successors)
        .boxed()
        .toList();
  }

  /** The second record of a message; the first one is right before it. */
  private boolean isSuccessor(int index) {
    return index > 0 && sent.get(index - 1).isOfSameMessage(sent.get(index));
  }

  private Outcome flush(List<Integer> indices) {
    Outcome outcome =
        delivery.deliver(
            indices.stream().map(i -> sent.get(i).record()).toList(), packing, Map.of(), group);
    if (outcome instanceof Outcome.Done done) {
      List<RecordMetadata> places = new ArrayList<>(done.written());
      for (int i = 0; i < places.size(); i++) {
        written[indices.get(i)] = places.get(i);
      }
      indices.forEach(unwritten::remove);
    } else if (outcome instanceof Outcome.Refused refused) {
      indices.forEach(unwritten::remove);
      refused.unwritten().forEach(i -> unwritten.add(indices.get(i)));
      refused.accused().forEach((i, fault) -> accused.put(indices.get(i), fault));
      othersWentThrough &= refused.othersWentThrough();
    }
    return outcome;
  }
}
