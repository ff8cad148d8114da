/** Clocks: the ones that are read, and the reconciliation of many into one global time. */
@NullMarked
package org.diperf.core.clock;

import org.jspecify.annotations.NullMarked;
