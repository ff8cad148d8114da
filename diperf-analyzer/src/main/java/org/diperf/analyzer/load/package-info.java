/**
 * The load that the plan of a run offered, as far as the run followed it: stages, clients and the testers that ran them, the peak and
 * the measured part.
 */
@NullMarked
package org.diperf.analyzer.load;

import org.jspecify.annotations.NullMarked;
