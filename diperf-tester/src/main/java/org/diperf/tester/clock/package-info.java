/**
 * Clocks that are wrong in a known way. With the system property {@code diperf.clock} a tester uses one for everything:
 * its clients, deadlines and frames. For testing the reconciliation of clocks; see
 * {@link org.diperf.tester.clock.SkewedClock#parse}.
 */
@NullMarked
package org.diperf.tester.clock;

import org.jspecify.annotations.NullMarked;
