/**
 * From a run directory to answers: samples are converted to global time, aggregated in bounded memory, and returned as
 * {@link org.diperf.analyzer.result.Analysis}, from which summary, CSV files, figures and report are written.
 *
 * <p>Definitions, the same everywhere (nanoseconds inside, milliseconds in files):
 * <ol>
 *   <li>response time = completed - intended start; service time = completed - sent; send lag = sent - intended.
 *   <li>processing time = service time - network round trip to the target - client start-up, where both are measured;
 *       negative values are counted, not clamped.
 *   <li>Statistics cover ok calls; failed calls have their own.
 *   <li>Throughput = ok calls by global completion time over the quantum; min, median and max over whole quanta; mean =
 *       ok calls / duration.
 *   <li>Load = active clients in closed models, calls in flight in open ones, both time-weighted means over a quantum.
 *   <li>Utilisation of a client = its ok calls / all ok calls while it was active. Fairness = population standard
 *       deviation of the utilisation recomputed over the peak.
 *   <li>Peak = the longest interval in which all started, not lost, clients are active.
 *   <li>total = ok + failed; timed-out and cancelled calls are within failed; dropped and unfinished are separate.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer;

import org.jspecify.annotations.NullMarked;
