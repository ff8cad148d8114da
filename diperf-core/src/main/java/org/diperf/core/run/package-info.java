/**
 * What a run directory says about a run besides its samples: {@code run.json}, written by the controller and read by the
 * analyzer. Records only; both sides map them with Jackson.
 */
@NullMarked
package org.diperf.core.run;

import org.jspecify.annotations.NullMarked;
