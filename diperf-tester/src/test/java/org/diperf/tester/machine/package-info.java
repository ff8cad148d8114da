/** Tests of what a tester asks of its machine. */
@NullMarked
package org.diperf.tester.machine;

import org.jspecify.annotations.NullMarked;
