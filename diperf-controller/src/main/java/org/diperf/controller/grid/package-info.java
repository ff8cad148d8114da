/**
 * Sweeps, variants and trials: which runs there are and in which order, as values that follow from the experiment alone;
 * and their carrying out, one after another, into one folder. Knows nothing of experiment files.
 */
@NullMarked
package org.diperf.controller.grid;

import org.jspecify.annotations.NullMarked;
