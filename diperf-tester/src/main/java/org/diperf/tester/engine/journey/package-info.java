/**
 * Journeys: which call of an iteration is next, and when it is due, as a file lists steps or as code in Java takes
 * them. A journey belongs to the owner of its slot, and takes turns with the thread of its code.
 */
@NullMarked
package org.diperf.tester.engine.journey;

import org.jspecify.annotations.NullMarked;
