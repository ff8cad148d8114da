/** Locks and scratch folders that belong to a process while it runs, deletion, and what survives a failure of the machine. */
@NullMarked
package org.diperf.core.folder;

import org.jspecify.annotations.NullMarked;
