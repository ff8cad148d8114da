/**
 * The stamp client: measures delay, loss and order of datagrams in each direction, by the Simple Two-way Active Measurement
 * Protocol (RFC 8762), which reflectors of TWAMP Light (RFC 5357, appendix I) answer too, and a reflector. A call is a train of
 * datagrams; one-way delays come with a hard bound on what the two clocks may add.
 */
@NullMarked
package org.diperf.plugins.stamp;

import org.jspecify.annotations.NullMarked;
