/** The command line as its users meet it: bad inputs, help, and what is kept when a run goes wrong. */
@NullMarked
package org.diperf.controller.cli;

import org.jspecify.annotations.NullMarked;
