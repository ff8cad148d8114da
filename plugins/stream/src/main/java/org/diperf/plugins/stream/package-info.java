/**
 * The stream client: a program that runs as long as its client and writes one line for each call it made. It times its
 * calls itself, so that programs with a loop of their own can be measured as they are.
 */
@NullMarked
package org.diperf.plugins.stream;

import org.jspecify.annotations.NullMarked;
