/**
 * The Maven project of a client plugin that {@code diperf init} writes: one class with its test, whose files are templates among this
 * package's resources.
 */
@NullMarked
package org.diperf.controller.starter;

import org.jspecify.annotations.NullMarked;
