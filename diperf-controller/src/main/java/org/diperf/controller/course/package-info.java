/**
 * Decides what a run's load does next: a planned course knows its stages in advance, levels and searches judge what they
 * see and append stages. No class here reads a clock or touches a tester.
 */
@NullMarked
package org.diperf.controller.course;

import org.jspecify.annotations.NullMarked;
