/**
 * When the answers that a loop reads were there, and by how much the recorded ends of calls may be off. Everything is
 * confined to the thread of its loop.
 */
@NullMarked
package org.diperf.tester.engine.bounds;

import org.jspecify.annotations.NullMarked;
