/**
 * What {@code diperf run} measures without an argument: a small HTTP service in the controller's process with a known
 * capacity, and an experiment that finds it.
 */
@NullMarked
package org.diperf.controller.quickstart;

import org.jspecify.annotations.NullMarked;
