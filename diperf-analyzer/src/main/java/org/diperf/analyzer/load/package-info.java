/**
 * The load that the plan of a run offered, as far as the run followed it: stages, clients and the testers that had them, the peak and
 * the part that is measured.
 */
@NullMarked
package org.diperf.analyzer.load;

import org.jspecify.annotations.NullMarked;
