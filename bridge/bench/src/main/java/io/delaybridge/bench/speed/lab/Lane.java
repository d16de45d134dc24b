package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.ProcessServer;

/**
 * A process that carries records from one topic to another: the bridge, or the pass-through.
 *
 * @param process is frozen while the intake is filled, so that the filling is not part of what is
 *     measured, and so that its JVM stays warm
 */
public record Lane(String name, String intake, String target, ProcessServer process) {}
