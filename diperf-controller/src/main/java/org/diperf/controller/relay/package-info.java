/**
 * The relay: connects testers that cannot reach the controller, and forwards their frames unchanged, with many testers on
 * one connection. It never acknowledges anything and stores nothing: what is lost when it dies, testers send again. One
 * event loop owns all of it; two threads forward time queries.
 */
@NullMarked
package org.diperf.controller.relay;

import org.jspecify.annotations.NullMarked;
