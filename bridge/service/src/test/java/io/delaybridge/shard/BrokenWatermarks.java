package io.delaybridge.shard;

import io.delaybridge.store.ShardStore.Taken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Watermark questions that each leave one thing out. */
final class BrokenWatermarks {

  private BrokenWatermarks() {}

  static Map<String, SimWiring> all() {
    Map<String, SimWiring> all = new LinkedHashMap<>();
    all.put("a watermark that does not wait for the checkpoint", new Uncommitted());
    all.put("a watermark that does not wait until all is read", new Unread());
    all.put("a watermark that asks only once where the log ends", new Once());
    all.put("a watermark that does not look at what asks hide", new Hidden());
    all.put("a watermark that does not look at the later topic", new Near());
    return all;
  }

  private static final class Uncommitted extends SimWiring {
    @Override
    OptionalLong answer(WatermarkQuestion question, long committed) {
      return question.answer(Long.MAX_VALUE);
    }
  }

  private static final class Unread extends SimWiring {
    @Override
    void look(WatermarkQuestion question, Taken seen, LongSupplier logEnd) {
      long end = logEnd.getAsLong();
      question.look(
          new Taken(end, seen.messages(), seen.first(), seen.count(), seen.overdue()), end);
    }
  }

  private static final class Once extends SimWiring {
    @Override
    void look(WatermarkQuestion question, Taken seen, LongSupplier logEnd) {
      question.look(seen, question.end() < 0 ? logEnd.getAsLong() : question.end());
    }
  }

  private static final class Hidden extends SimWiring {
    @Override
    void look(WatermarkQuestion question, Taken seen, LongSupplier logEnd) {
      question.look(
          new Taken(seen.next(), List.of(), seen.first(), seen.count(), seen.overdue()),
          logEnd.getAsLong());
    }
  }

  private static final class Near extends SimWiring {
    @Override
    long far(long far) {
      return Long.MAX_VALUE;
    }
  }
}
