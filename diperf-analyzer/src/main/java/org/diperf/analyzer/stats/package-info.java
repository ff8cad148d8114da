/**
 * What can be said with how much confidence: steady state, confidence intervals of correlated samples, and how evenly
 * clients were served. {@code docs/statistics.md} has the definitions and their sources.
 *
 * <ol>
 *   <li>Accumulators take samples in any order and can be added up, with the same result to the last bit.
 *   <li>An interval that the data do not carry is refused with a reason; none is made up.
 *   <li>Nothing here reads a clock or an unseeded source of chance.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.stats;

import org.jspecify.annotations.NullMarked;
