/**
 * A tester's side of the wire: joins a run by its ticket, ships the engine's sample blocks until they are durable, and
 * stops the load when the controller has been silent for the lease. One event loop per tester owns the link's state; the thread
 * that runs the tester prepares the engine.
 */
@NullMarked
package org.diperf.tester.link;

import org.jspecify.annotations.NullMarked;
