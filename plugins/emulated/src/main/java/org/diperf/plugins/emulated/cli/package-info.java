/** The engine as a process of its own: it reads a topology, says when it is ready, and ends with its standard input. */
@NullMarked
package org.diperf.plugins.emulated.cli;

import org.jspecify.annotations.NullMarked;
