/**
 * Finds faults in a run directory, and makes a repaired copy of it. The original is only read; no damage makes this code fail.
 */
@NullMarked
package org.diperf.analyzer.verify;

import org.jspecify.annotations.NullMarked;
