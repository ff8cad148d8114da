/**
 * Sweeps, variants and trials: which runs there are and in which order, derived from the experiment alone; and
 * running them, one after another, into one folder. Knows nothing about experiment files.
 */
@NullMarked
package org.diperf.controller.grid;

import org.jspecify.annotations.NullMarked;
