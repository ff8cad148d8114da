/**
 * Transfers, and the data channels that they go over: stream and extended block mode, between tester and server and between two
 * servers. A transfer and its session with the server are confined to one event loop. Stands on {@code control} and {@code gsi}.
 */
@NullMarked
package org.diperf.plugins.gridftp.data;

import org.jspecify.annotations.NullMarked;
