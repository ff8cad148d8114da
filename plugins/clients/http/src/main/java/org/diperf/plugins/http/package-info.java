/**
 * The HTTP client, on the tester's own event loop: one connection per simulated client over HTTP/1.1, and over HTTP/2 as many as their
 * sharing wants. Constant requests are built once, and responses are parsed in place, so that the tester measures the service and not itself.
 */
@NullMarked
package org.diperf.plugins.http;

import org.jspecify.annotations.NullMarked;
