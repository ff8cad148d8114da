/**
 * A call as its client sees it and as it is recorded: its values, what is wanted of its answer, what was said in it.
 * Objects belong to the owner of their client, except where they say that they are thread-safe.
 */
@NullMarked
package org.diperf.tester.engine.call;

import org.jspecify.annotations.NullMarked;
