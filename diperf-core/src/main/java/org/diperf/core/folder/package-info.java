/** Locks and scratch folders that belong to a process while it runs, and deletion. */
@NullMarked
package org.diperf.core.folder;

import org.jspecify.annotations.NullMarked;
