/** Parses Linux's {@code /proc} files, for every monitor that reads them, on this machine or another, and bounds what others send. */
@NullMarked
package org.diperf.plugins.lib.proc;

import org.jspecify.annotations.NullMarked;
