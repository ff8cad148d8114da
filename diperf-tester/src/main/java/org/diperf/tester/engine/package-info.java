/**
 * The load engine of one tester: sessions, threads, and what it reports of itself. {@code TesterLoop} drives a {@code CallLoop} on a
 * Netty event loop for asynchronous clients; {@code ThreadedLoop} drives the one for blocking clients, each of which has a thread.
 */
@NullMarked
package org.diperf.tester.engine;

import org.jspecify.annotations.NullMarked;
