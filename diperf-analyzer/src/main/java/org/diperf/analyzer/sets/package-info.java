/**
 * Sets of numbers in bounded memory that say the same in whichever order their values came and however they were shared between
 * threads: quantiles, sums, counts over time.
 */
@NullMarked
package org.diperf.analyzer.sets;

import org.jspecify.annotations.NullMarked;
