/** Probes a path from this machine, and says what it found: what was measured, with a forecast, and what could not be. */
@NullMarked
package org.diperf.plugins.probe;

import org.jspecify.annotations.NullMarked;
