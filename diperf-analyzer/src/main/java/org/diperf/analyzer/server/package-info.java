/**
 * What monitors saw of the service, on the time axis of the run: its resources per quantum, its own log next to what the
 * clients saw, and what a client costs it. Knows only the series of calls.
 */
@NullMarked
package org.diperf.analyzer.server;

import org.jspecify.annotations.NullMarked;
