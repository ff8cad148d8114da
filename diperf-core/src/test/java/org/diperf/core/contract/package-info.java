/**
 * What the tests of a plugin need: the contract that every client plugin must keep, the two kinds of loop that an
 * asynchronous client may meet, and contexts and calls that remember what was done with them.
 */
@NullMarked
package org.diperf.core.contract;

import org.jspecify.annotations.NullMarked;
