/**
 * The tcp client: sends a few bytes over a connection of its own and waits for the answer, which is the same bytes or a
 * line. Asynchronous, so that one tester runs many thousands of them; the smallest complete client to look at.
 */
@NullMarked
package org.diperf.plugins.tcp;

import org.jspecify.annotations.NullMarked;
