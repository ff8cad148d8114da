/**
 * From the runs of a grid (a sweep, variants, trials) to numbers for each of its points, with the scatter of single
 * trials: from {@code grid.json} and the summaries of the runs to the parent's {@code summary.json} and CSV files.
 */
@NullMarked
package org.diperf.analyzer.grid;

import org.jspecify.annotations.NullMarked;
