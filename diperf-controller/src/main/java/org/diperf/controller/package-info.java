/** The controller, as Java code uses it: {@link org.diperf.controller.Diperf} runs calls and experiments in one process. */
@NullMarked
package org.diperf.controller;

import org.jspecify.annotations.NullMarked;
