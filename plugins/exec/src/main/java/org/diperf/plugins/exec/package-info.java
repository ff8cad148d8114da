/**
 * The exec client: one run of any unmodified executable is one call, timed from its start until it has ended. What
 * starting a program costs is measured beforehand and told beside the results.
 */
@NullMarked
package org.diperf.plugins.exec;

import org.jspecify.annotations.NullMarked;
