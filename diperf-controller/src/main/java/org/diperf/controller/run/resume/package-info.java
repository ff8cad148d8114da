/** Runs that were cut short, continued from what was left. */
@NullMarked
package org.diperf.controller.run.resume;

import org.jspecify.annotations.NullMarked;
