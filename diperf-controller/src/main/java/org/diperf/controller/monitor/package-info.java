/**
 * The service's own view: runs the monitors of an experiment, each on its own thread, and stores what they see in the
 * run directory. A monitor that fails never fails the run.
 */
@NullMarked
package org.diperf.controller.monitor;

import org.jspecify.annotations.NullMarked;
