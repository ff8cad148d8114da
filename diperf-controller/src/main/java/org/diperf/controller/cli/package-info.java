/**
 * The command line: arguments in, exit code out. Anything heavy is loaded only by the command that needs it, so that
 * {@code --version} and {@code --help} answer at once.
 */
@NullMarked
package org.diperf.controller.cli;

import org.jspecify.annotations.NullMarked;
