/**
 * What a tester asks of its machine and says to it: the files of Linux below {@code /proc}, how many threads there is room
 * for, and how soon threads that start calls get a processor. Knows nothing of calls.
 */
@NullMarked
package org.diperf.tester.machine;

import org.jspecify.annotations.NullMarked;
