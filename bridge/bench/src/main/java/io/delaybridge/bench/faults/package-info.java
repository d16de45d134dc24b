/**
 * Tests with faults on real processes. A load writes messages, servers or bridges fail meanwhile,
 * and a checker compares the delivered messages with those that were sent.
 *
 * <p>{@link io.delaybridge.bench.faults.Main} reads the options and runs rows. For each row, {@link
 * io.delaybridge.bench.faults.Runner} starts a {@link io.delaybridge.bench.faults.World}: servers,
 * bridges, and the {@link io.delaybridge.bench.faults.Load}, which records in the {@link
 * io.delaybridge.bench.faults.Ledger} what it sent. {@link io.delaybridge.bench.faults.Arrivals}
 * reads the delivered messages and gives them to the {@link io.delaybridge.bench.faults.Judge}.
 * {@link io.delaybridge.bench.faults.FrontierWatch} compares the checkpoints with them while the
 * faults happen. {@link io.delaybridge.bench.faults.Leftovers} and {@link
 * io.delaybridge.bench.faults.IntakeAudit} check the end state. The {@link
 * io.delaybridge.bench.faults.Outcome} becomes a file, and docs/reliability.md is made from the
 * files.
 *
 * <h2>A new row</h2>
 *
 * <ol>
 *   <li>Servers, if they do not exist yet: a record that implements {@link
 *       io.delaybridge.bench.faults.Servers}, with a static method {@code start(Path dir)} that
 *       starts them, see {@code Servers.started}. {@link io.delaybridge.bench.faults.Single} is one
 *       broker and one Redis.
 *   <li>The fault: a method {@code boolean inject(World<MyServers> world, RandomGenerator random)}.
 *       It injects the fault once and returns whether it happened. The runner calls it as often as
 *       the row wants injections. Before each call, the runner waits until the bridges work again
 *       and then for a random time. In the end, it restores everything.
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
 * <p>In every row, no message may be lost, early, changed, misplaced or left over; there is no
 * option for that. Duplicates beyond the row's bound break it as well.
 */
@NullMarked
package io.delaybridge.bench.faults;

import org.jspecify.annotations.NullMarked;
