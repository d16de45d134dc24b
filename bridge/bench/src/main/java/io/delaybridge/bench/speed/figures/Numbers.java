package io.delaybridge.bench.speed.figures;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** The format of numbers: three significant digits, whole numbers from 100 on. */
public final class Numbers {

  private Numbers() {}

  /** Returns the number as text, for instance 0.613, 12.4 or 253000. */
  public static String plain(double value) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
    if (rounded.signum() == 0) {
      return "0";
    }
    return rounded.scale() <= 0
        ? String.format(Locale.ROOT, "%,d", rounded.longValue())
        : rounded.stripTrailingZeros().toPlainString();
  }
}
