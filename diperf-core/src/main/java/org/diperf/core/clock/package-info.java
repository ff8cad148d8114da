/** Clocks: reading them, and reconciling many into one global time. */
@NullMarked
package org.diperf.core.clock;

import org.jspecify.annotations.NullMarked;
