/** The folder of a run: what is written to it, in which order, and what its controllers leave in it. */
@NullMarked
package org.diperf.controller.run.directory;

import org.jspecify.annotations.NullMarked;
