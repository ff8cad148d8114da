/** Ports for servers that tests start by number. */
@NullMarked
package org.diperf.core.ports;

import org.jspecify.annotations.NullMarked;
