/**
 * Whether the numbers of a run can be trusted: limits of the generator, clocks, steady state, Little's law, and the verdict.
 */
@NullMarked
package org.diperf.analyzer.judge;

import org.jspecify.annotations.NullMarked;
