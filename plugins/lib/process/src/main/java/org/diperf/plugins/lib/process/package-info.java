/**
 * Runs programs for the exec and stream plugins: each in its own session and process group, so that it can be
 * ended with everything it started. A library, not a plugin, so that the delicate part exists only once.
 */
@NullMarked
package org.diperf.plugins.lib.process;

import org.jspecify.annotations.NullMarked;
