/**
 * The command line: words in, exit code out. Everything heavy is loaded by the command that needs it, so that
 * {@code --version} and {@code --help} answer at once.
 */
@NullMarked
package org.diperf.controller.cli;

import org.jspecify.annotations.NullMarked;
