package org.diperf.controller.experiment;

/**
 * Where something stands.
 *
 * @param source the file, or the {@code --set} that gave it
 * @param line from 1; 0 where there are no lines
 * @param column from 1; 0 where there are no lines
 */
record SourcePosition(String source, int line, int column) {

    /** Names a source as a whole. */
    static SourcePosition of(String source) {
        return new SourcePosition(source, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
