package org.diperf.core.run;

import java.util.Objects;
import org.diperf.core.spi.Annex;

/**
 * The content of {@code annexes/NAME.json}.
 *
 * @param format {@link #FORMAT}
 * @param monitor name of the monitor whose metrics it names; empty: none
 */
public record AnnexRecord(String format, String monitor, Annex annex) {

    /** Name and version of this format. */
    public static final String FORMAT = "diperf-annex/1";

    public AnnexRecord {
        Objects.requireNonNull(monitor, "monitor");
        Objects.requireNonNull(annex, "annex");
        if (!format.equals(FORMAT)) {
            throw new IllegalArgumentException("expected the format " + FORMAT + ", got " + format);
        }
    }

    public AnnexRecord(String monitor, Annex annex) {
        this(FORMAT, monitor, annex);
    }
}
