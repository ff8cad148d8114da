/** Time that waits for the networks: a kernel that runs as a program, and what it takes to build it and to run a command in it. */
@NullMarked
package org.diperf.plugins.emulated.virtual;

import org.jspecify.annotations.NullMarked;
