/**
 * The experiment as resolved: every default filled in, every value checked. The controller reads it from a file; these
 * records know nothing about files.
 */
@NullMarked
package org.diperf.core.experiment;

import org.jspecify.annotations.NullMarked;
