/**
 * The load engine: opens a plugin's clients, makes the calls of the plan at their instants and records every one. Its
 * scheduling core ({@code CallLoop}) knows no network and no thread; {@code TesterLoop} drives it on a Netty event loop,
 * {@code BlockingLoad} does the like for clients that have threads of their own.
 */
@NullMarked
package org.diperf.tester.engine;

import org.jspecify.annotations.NullMarked;
