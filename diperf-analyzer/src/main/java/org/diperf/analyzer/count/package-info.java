/**
 * Counting: one pass over the calls of a run into sets, quantum by quantum, client by client, stage by stage. The hot path of the
 * analyzer: what looks odd here buys speed. Times are ns after the start of the run.
 */
@NullMarked
package org.diperf.analyzer.count;

import org.jspecify.annotations.NullMarked;
