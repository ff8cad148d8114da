/** A file system that fails on purpose. */
@NullMarked
package org.diperf.core.faults;

import org.jspecify.annotations.NullMarked;
