/** The testbeds that need only this machine: in this process, as separate processes, and started by hand. */
@NullMarked
package org.diperf.controller.testbed;

import org.jspecify.annotations.NullMarked;
