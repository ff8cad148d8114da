/** What Linux says of a host in the files of {@code /proc}, for every monitor that reads them, here or on another machine. */
@NullMarked
package org.diperf.plugins.lib.proc;

import org.jspecify.annotations.NullMarked;
