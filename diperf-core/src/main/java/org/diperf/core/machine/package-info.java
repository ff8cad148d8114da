/** What this machine and this JVM are. Read when asked, from the operating system; nothing is kept. */
@NullMarked
package org.diperf.core.machine;

import org.jspecify.annotations.NullMarked;
