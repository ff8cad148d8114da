package org.diperf.plugins.probe;

import java.util.List;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;

/** The sizes of transfers that a user asks about. */
final class TransferSizes {

    static final String BYTES = "bytes";

    private TransferSizes() {}

    /** Reads them: bytes, growing, each once and at least 1. */
    static List<Long> of(Parameters with) {
        List<String> given = with.texts(BYTES).stream().map(Text::fixed).toList();
        try {
            List<Long> sizes =
                    given.stream().map(Quantity::size).distinct().sorted().toList();
            if (sizes.isEmpty() || sizes.get(0) < 1) {
                throw new IllegalArgumentException("expected at least 1 byte, got " + String.join(",", given));
            }
            return sizes;
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(BYTES, String.valueOf(e.getMessage()));
        }
    }
}
