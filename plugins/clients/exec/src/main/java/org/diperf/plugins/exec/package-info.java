/**
 * The exec client: one run of any unmodified executable is one call, timed from its start until it has ended. The
 * cost of starting a program is measured before the run and reported with the results.
 */
@NullMarked
package org.diperf.plugins.exec;

import org.jspecify.annotations.NullMarked;
