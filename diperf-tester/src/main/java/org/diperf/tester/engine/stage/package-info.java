/**
 * The stages of a plan on one loop: when the iterations of closed and of open load begin. Everything is confined to its
 * loop.
 */
@NullMarked
package org.diperf.tester.engine.stage;

import org.jspecify.annotations.NullMarked;
