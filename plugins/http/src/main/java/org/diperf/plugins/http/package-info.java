/**
 * The HTTP/1.1 client: one connection per simulated client on the tester's own event loop. Constant request bytes are built
 * once, and responses are parsed in place, so that the tester measures the service and not itself.
 */
@NullMarked
package org.diperf.plugins.http;

import org.jspecify.annotations.NullMarked;
