/**
 * Data files of an experiment: comma-separated values (RFC 4180) whose first row names the columns. A file is never held on
 * the heap: it is read through once, which finds every fault and leaves the place of each 64th row, and then mapped.
 */
@NullMarked
package org.diperf.core.data;

import org.jspecify.annotations.NullMarked;
