/**
 * How certain the numbers are: steady state, confidence intervals of correlated samples, and how evenly
 * clients were served. {@code docs/statistics.md} has the definitions and their sources.
 *
 * <ol>
 *   <li>Accumulators accept samples in any order and can be merged, with bit-identical results.
 *   <li>An interval that the data cannot support is refused with a reason, never invented.
 *   <li>Nothing here reads a clock or an unseeded source of randomness.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.stats;

import org.jspecify.annotations.NullMarked;
