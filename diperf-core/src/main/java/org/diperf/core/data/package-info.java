/**
 * Data files of an experiment: CSV (RFC 4180) whose first row names the columns. A file is never held on the heap: it is
 * read once, which finds every fault and records the position of every 64th row, and then mapped.
 */
@NullMarked
package org.diperf.core.data;

import org.jspecify.annotations.NullMarked;
