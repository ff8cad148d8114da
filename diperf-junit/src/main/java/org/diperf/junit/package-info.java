/**
 * Experiments as JUnit tests. {@link org.diperf.junit.Experiment} marks a test; what it runs, {@link org.diperf.controller.Diperf}
 * runs.
 */
@NullMarked
package org.diperf.junit;

import org.jspecify.annotations.NullMarked;
