/**
 * Transfers and their data channels: stream and extended block mode, between tester and server and between two
 * servers. A transfer and its session with the server are confined to one event loop. Uses {@code control} and {@code gsi}.
 */
@NullMarked
package org.diperf.plugins.lib.gridftp.data;

import org.jspecify.annotations.NullMarked;
