/**
 * What all fuzz targets share. A target is a method with {@link org.diperf.core.fuzz.Fuzz} in a class of its own, named
 * {@code …FuzzTests}, next to the tests of its parser. In the unit tests it replays its kept inputs, and some that
 * are changed at random; Maven's profile {@code fuzz} lets the fuzzer search for new ones.
 */
@NullMarked
package org.diperf.core.fuzz;

import org.jspecify.annotations.NullMarked;
