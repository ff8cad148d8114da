/**
 * The load engine: opens a plugin's clients, makes the calls of the plan at their instants, records every one, and closes
 * clients whose life in the load is over. {@code CallLoop} and its stages state all rules; they know no network and no
 * thread. {@code TesterLoop} turns one on a Netty event loop for asynchronous clients. {@code ThreadedLoop} turns the one of
 * blocking clients, which have a thread each ({@code ThreadedClient}) and share its lock.
 */
@NullMarked
package org.diperf.tester.engine;

import org.jspecify.annotations.NullMarked;
