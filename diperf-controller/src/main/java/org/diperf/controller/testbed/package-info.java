/** The testbeds that need nothing but this machine: in this process, as processes of their own, and started by hand. */
@NullMarked
package org.diperf.controller.testbed;

import org.jspecify.annotations.NullMarked;
