/** Facts about this machine and this JVM, read from the operating system on each request; nothing is cached. */
@NullMarked
package org.diperf.core.machine;

import org.jspecify.annotations.NullMarked;
