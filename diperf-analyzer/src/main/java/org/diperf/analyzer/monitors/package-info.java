/** Reads what the monitors of a run saw, into the records of {@link org.diperf.analyzer.server}. */
@NullMarked
package org.diperf.analyzer.monitors;

import org.jspecify.annotations.NullMarked;
