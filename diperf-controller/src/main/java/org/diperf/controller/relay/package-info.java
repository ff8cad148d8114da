/**
 * The relay: lets testers in where they cannot reach the controller, and passes their frames on as they are, with many
 * testers on one connection. It never acknowledges anything and keeps nothing: what it loses when it dies, testers send
 * again. One event loop owns all of it; two threads pass on questions for the time.
 */
@NullMarked
package org.diperf.controller.relay;

import org.jspecify.annotations.NullMarked;
