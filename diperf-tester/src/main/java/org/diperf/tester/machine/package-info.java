/**
 * What a tester reads from its machine and requests of it: Linux's {@code /proc}, the number of threads there is room
 * for, and how soon call-starting threads get a processor. Knows nothing about calls.
 */
@NullMarked
package org.diperf.tester.machine;

import org.jspecify.annotations.NullMarked;
