/**
 * What {@code diperf init} writes for a client plugin: a Maven project of one class with its test. Its files are templates
 * among this package's resources.
 */
@NullMarked
package org.diperf.controller.starter;

import org.jspecify.annotations.NullMarked;
