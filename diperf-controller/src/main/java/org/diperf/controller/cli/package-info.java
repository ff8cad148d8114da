/**
 * The command line. Commands print to the streams they are given and return their exit code; {@code Main} alone ends the
 * JVM. Nothing here touches the libraries of a run before a command needs them, so that {@code --help} stays quick.
 */
@NullMarked
package org.diperf.controller.cli;

import org.jspecify.annotations.NullMarked;
