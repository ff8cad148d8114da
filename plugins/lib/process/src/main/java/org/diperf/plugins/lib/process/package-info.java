/**
 * Runs programs for the exec and stream plugins: each in a session and process group of its own, so that it can be
 * ended with everything that it started. A library and no plugin, so that the delicate part exists once.
 */
@NullMarked
package org.diperf.plugins.lib.process;

import org.jspecify.annotations.NullMarked;
