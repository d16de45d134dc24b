/**
 * Faults on real processes: a load whose every message is accounted for, something that dies or
 * lies meanwhile, and a checker that compares what came out with what went in.
 *
 * <p>{@link io.delaybridge.bench.faults.Main} reads the options and runs rows. For each one, {@link
 * io.delaybridge.bench.faults.Runner} starts a {@link io.delaybridge.bench.faults.World}: servers,
 * bridges, and the {@link io.delaybridge.bench.faults.Load}, which notes in the {@link
 * io.delaybridge.bench.faults.Ledger} what it sent. {@link io.delaybridge.bench.faults.Arrivals}
 * reads what is delivered and gives it to the {@link io.delaybridge.bench.faults.Judge}; {@link
 * io.delaybridge.bench.faults.FrontierWatch} holds checkpoints against it while the faults happen;
 * {@link io.delaybridge.bench.faults.Leftovers} and {@link io.delaybridge.bench.faults.IntakeAudit}
 * look at the end. The {@link io.delaybridge.bench.faults.Outcome} becomes a file, and the files
 * become docs/reliability.md.
 *
 * <h2>A new row</h2>
 *
 * <ol>
 *   <li>Servers that are not there yet: a record that implements {@link
 *       io.delaybridge.bench.faults.Servers}, with a static method {@code start(Path dir)} that
 *       starts them, see {@code Servers.started}. {@link io.delaybridge.bench.faults.Single} is one
 *       broker and one Redis.
 *   <li>What goes wrong: a method {@code boolean inject(World<MyServers> world, RandomGenerator
 *       random)}. It makes one fault happen and returns whether it did; the runner calls it as
 *       often as the row wants injections, waits before each one until the bridges work again and
 *       then for a random time, and brings everything back in the end.
 *   <li>The row, in one of the lists of {@link io.delaybridge.bench.faults.Rows}:
 *       <pre>{@code
 * Row.of(
 *         "kill-bridge",                        // --only kill-bridge
 *         "SIGKILL of a random bridge",         // in the report
 *         Single::start,
 *         new Shape(300_000, 300, 3, 4, pause, delay), // messages, injections, bridges, partitions
 *         BridgeRows::kill)
 *     .atLeastOnceRepeats(Repeats.TURN)         // the documented bound; none without it
 *     .with("redis.timeout", "1s")              // what differs in the bridges' configuration
 * }</pre>
 * </ol>
 *
 * <p>Nothing may be lost, early, changed, misplaced or left over in any row; there is no option for
 * that. Duplicates beyond the row's bound break it as well.
 */
@NullMarked
package io.delaybridge.bench.faults;

import org.jspecify.annotations.NullMarked;
