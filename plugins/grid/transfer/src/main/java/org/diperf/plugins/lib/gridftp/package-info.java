/** A server in the place of a real one, for rehearsals. Uses {@code data}. */
@NullMarked
package org.diperf.plugins.lib.gridftp;

import org.jspecify.annotations.NullMarked;
