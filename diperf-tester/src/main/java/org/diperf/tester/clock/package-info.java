/**
 * Clocks that are known to be wrong. With the system property {@code diperf.clock} a tester runs by one, all of it: what
 * its clients, deadlines and frames are stamped with. For those who test how well clocks are reconciled; see
 * {@link org.diperf.tester.clock.SkewedClock#parse}.
 */
@NullMarked
package org.diperf.tester.clock;

import org.jspecify.annotations.NullMarked;
