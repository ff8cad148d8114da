/**
 * The testers of a run: which node each is placed on, what state each is in, and which tester replaces a lost one.
 */
@NullMarked
package org.diperf.controller.fleet;

import org.jspecify.annotations.NullMarked;
