/**
 * The testers of a run: which node each is placed on, how far each has come, and who takes the place of one that is lost.
 */
@NullMarked
package org.diperf.controller.fleet;

import org.jspecify.annotations.NullMarked;
