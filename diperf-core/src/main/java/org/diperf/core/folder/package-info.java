/** Folders that a process has for itself while it runs. */
@NullMarked
package org.diperf.core.folder;

import org.jspecify.annotations.NullMarked;
