/**
 * The tcp client: sends a few bytes over its own connection and waits for the answer, which is the same bytes or a
 * line. Asynchronous, so that one tester runs many thousands of them; the smallest complete client to study.
 */
@NullMarked
package org.diperf.plugins.tcp;

import org.jspecify.annotations.NullMarked;
