/** Has the kernel carry packets, by its queueing discipline {@code netem}: which topologies it can carry, and by which commands. */
@NullMarked
package org.diperf.plugins.emulated.netem;

import org.jspecify.annotations.NullMarked;
