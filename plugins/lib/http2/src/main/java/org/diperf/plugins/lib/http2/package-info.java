/**
 * HTTP/2 (RFC 9113) as clients of a load see it: connections that several of them share, each with one exchange under way, frames
 * written and read without an object for any, and header blocks that are prepared or remembered.
 */
@NullMarked
package org.diperf.plugins.lib.http2;

import org.jspecify.annotations.NullMarked;
