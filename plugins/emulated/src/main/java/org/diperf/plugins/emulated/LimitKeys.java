package org.diperf.plugins.emulated;

import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.limits.Limits;
import org.jspecify.annotations.Nullable;

/** What the experiment file says of limits of a host. Stateless. */
final class LimitKeys {

    private static final String PROCESSOR = "cpu";
    private static final String MEMORY = "memory";
    private static final String DISK = "disk";
    static final List<String> ALL = List.of(PROCESSOR, MEMORY, DISK);

    /** Less is not accounted for in time. */
    private static final double MIN_PROCESSORS = 0.01;

    private static final long MIN_BYTES = 4 << 20;
    private static final String PER_SECOND = "/s";

    private LimitKeys() {}

    /** @param host the keys of a host, of which these are some */
    static Limits of(Map<String, Tree> host) {
        return new Limits(processors(host.get(PROCESSOR)), memory(host.get(MEMORY)), disk(host.get(DISK)));
    }

    private static double processors(@Nullable Tree key) {
        if (key == null) {
            return 0;
        }
        double processors = key.value() instanceof Number number ? number.doubleValue() : -1;
        if (!(processors >= MIN_PROCESSORS)) {
            throw key.unusable("processors from " + MIN_PROCESSORS + " on, such as 0.5 or 2");
        }
        return processors;
    }

    private static long memory(@Nullable Tree key) {
        if (key == null) {
            return 0;
        }
        long bytes = key.parsed("a size such as 512MiB", Quantity::size);
        if (bytes < MIN_BYTES) {
            throw key.unusable("a size from 4MiB on, such as 512MiB");
        }
        return bytes;
    }

    private static long disk(@Nullable Tree key) {
        if (key == null) {
            return 0;
        }
        String wanted = "a size per second such as 20MB/s";
        String text = key.text(wanted);
        long bytes = text.endsWith(PER_SECOND)
                ? key.parsed(wanted, given -> Quantity.size(given.substring(0, given.length() - PER_SECOND.length())))
                : 0;
        if (bytes < 1) {
            throw key.unusable(wanted);
        }
        return bytes;
    }
}
