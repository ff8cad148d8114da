package org.diperf.plugins.lib.process;

import java.util.List;
import java.util.Map;

/**
 * A program to be run.
 *
 * @param command its path, or its name on the PATH, and its arguments
 * @param environment added to this process's own
 * @param input what it reads from its standard input, which then ends
 * @param output takes its standard output; its standard error is discarded
 */
@SuppressWarnings("ArrayRecordComponent")
public record Program(List<String> command, Map<String, String> environment, byte[] input, Output output) {

    public Program {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("command: expected a program and its arguments, got an empty list");
        }
    }

    /** Takes what a program writes, in its order, on one thread. Everything has been taken when its exit is known. */
    public interface Output {

        /**
         * Takes the next bytes.
         *
         * @param bytes valid during the call
         * @param length how many count, at least 1
         */
        void take(byte[] bytes, int length);
    }
}
