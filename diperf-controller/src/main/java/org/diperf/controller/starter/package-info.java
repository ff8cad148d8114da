/**
 * What {@code diperf init} writes: for a client plugin a Maven project of one class with its test, whose files are templates among this
 * package's resources; and experiments of what was recorded in a browser, copied as a line of curl, or described.
 */
@NullMarked
package org.diperf.controller.starter;

import org.jspecify.annotations.NullMarked;
