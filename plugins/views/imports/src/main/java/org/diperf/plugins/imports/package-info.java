/**
 * The command {@code import}: files of other programs as runs. What a file does not contain is absent from the run, not zero.
 */
@NullMarked
package org.diperf.plugins.imports;

import org.jspecify.annotations.NullMarked;
