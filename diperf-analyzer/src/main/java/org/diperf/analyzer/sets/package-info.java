/**
 * Sets of numbers in bounded memory whose results do not depend on the order of values or on how they were divided among
 * threads: quantiles, sums, counts over time.
 */
@NullMarked
package org.diperf.analyzer.sets;

import org.jspecify.annotations.NullMarked;
