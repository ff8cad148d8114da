/** Queries a time server, and keeps the answers until they are sent to the controller. */
@NullMarked
package org.diperf.tester.time;

import org.jspecify.annotations.NullMarked;
