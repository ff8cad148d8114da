/** The memcached client: gets, sets and deletes over the text protocol; what the server counted; and a small server. */
@NullMarked
package org.diperf.plugins.memcached;

import org.jspecify.annotations.NullMarked;
