package io.delaybridge.intake;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way to an intake.
 *
 * @param partition where it must go, or null for the choice by id or key
 * @param headers names and values, the control headers included
 */
@SuppressWarnings("ArrayRecordComponent")
public record Letter(
    String topic,
    @Nullable Integer partition,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> headers) {}
