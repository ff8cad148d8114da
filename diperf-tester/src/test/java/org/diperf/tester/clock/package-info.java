/** Tests of clocks that are known to be wrong. */
@NullMarked
package org.diperf.tester.clock;

import org.jspecify.annotations.NullMarked;
