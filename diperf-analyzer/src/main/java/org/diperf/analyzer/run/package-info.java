/**
 * What a run directory holds and how it is read: block numbers, clocks, and blocks of calls handed to threads that count.
 */
@NullMarked
package org.diperf.analyzer.run;

import org.jspecify.annotations.NullMarked;
