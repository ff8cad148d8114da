/**
 * Runs one experiment: starts the testers, gives them the plan and one start instant, watches them, and leaves a
 * complete run directory. What the numbers mean is the analyzer's business.
 */
@NullMarked
package org.diperf.controller.run;

import org.jspecify.annotations.NullMarked;
