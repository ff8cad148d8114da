/**
 * The time server: says what this machine's monotonic clock shows, by UDP and by TCP. Testers compare their clocks with
 * it; the datagrams are {@link org.diperf.core.wire.TimeDatagram}s.
 */
@NullMarked
package org.diperf.controller.time;

import org.jspecify.annotations.NullMarked;
