/**
 * Clients, their slots, and the loop that takes each slot from one iteration to the next. Everything is confined to its
 * loop, or guarded by the lock of a loop whose clients have threads of their own; no call allocates or locks more.
 */
@NullMarked
package org.diperf.tester.engine.loop;

import org.jspecify.annotations.NullMarked;
