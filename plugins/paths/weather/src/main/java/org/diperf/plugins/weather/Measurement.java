package org.diperf.plugins.weather;

import java.io.IOException;

/**
 * A value of a series.
 *
 * @param unixSeconds when it was measured, by the clock of the sensor
 */
record Measurement(double unixSeconds, double value) {

    /** Reads a record of a memory. */
    static Measurement read(String record) throws IOException {
        String[] words = record.strip().split(" +");
        try {
            return new Measurement(Double.parseDouble(words[0]), Double.parseDouble(words[words.length > 1 ? 1 : 0]));
        } catch (NumberFormatException e) {
            throw new IOException("expected a time and a value, got '" + record + "'", e);
        }
    }
}
