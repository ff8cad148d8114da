package org.diperf.core.wire;

import org.diperf.core.clock.Exchange;

/**
 * One question of a tester to the time server, answered.
 *
 * @param epoch which clock the server's is: changes when the server's machine has been started again
 * @param wallMillis the tester's wall clock when it asked, since 1970; 0: unknown
 * @param exchange the stamps: the client sent before the server received
 */
public record TimeExchange(long epoch, long wallMillis, Exchange exchange) {}
