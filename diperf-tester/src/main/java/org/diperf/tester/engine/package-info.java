/**
 * The load engine: opens a plugin's clients, makes the calls of the plan on time, records every one, and closes clients
 * whose life in the load is over. {@code CallLoop} and its stages define all rules; they know neither network nor threads.
 * {@code TesterLoop} drives one on a Netty event loop for asynchronous clients. {@code ThreadedLoop} drives the one for
 * blocking clients, each of which has a thread ({@code ThreadedClient}); they share its lock.
 */
@NullMarked
package org.diperf.tester.engine;

import org.jspecify.annotations.NullMarked;
