/**
 * Load plans: who calls when, as a pure function of (seed, stage, client, call) and, in closed load, of the end of that
 * client's previous call. Testers compute their own slices without talking to each other; a test can print a plan. All
 * times are nanoseconds after the start of the run; nothing here reads a clock.
 */
@NullMarked
package org.diperf.core.plan;

import org.jspecify.annotations.NullMarked;
