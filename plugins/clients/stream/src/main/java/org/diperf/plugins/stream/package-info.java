/**
 * The stream client: a program that runs for its client's whole life and writes one line per call. It times its calls
 * itself, so that programs with their own loop can be measured as they are.
 */
@NullMarked
package org.diperf.plugins.stream;

import org.jspecify.annotations.NullMarked;
