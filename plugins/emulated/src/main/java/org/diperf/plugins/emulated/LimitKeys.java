package org.diperf.plugins.emulated;

import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.limits.Limits;

/** The limits of a host in the experiment file. Stateless. */
final class LimitKeys {

    /** Less is not accounted for in time. */
    private static final double MIN_PROCESSORS = 0.01;

    private static final long MIN_BYTES = 4 << 20;
    private static final String PER_SECOND = "/s";

    static final List<Parameter> ALL = List.of(
            Parameter.optional("cpu", Type.STRING, "processors that its programs can use in total, such as 0.5 or 2")
                    .parsedBy(LimitKeys::processors),
            Parameter.optional("memory", Type.STRING, "memory that its programs can use in total, such as 512MiB")
                    .parsedBy(LimitKeys::memory),
            Parameter.optional("disk", Type.STRING, "maximum rate of disk reads, and of disk writes, such as 20MB/s")
                    .parsedBy(LimitKeys::disk));

    private LimitKeys() {}

    static Limits of(Parameters host) {
        return new Limits(
                host.has("cpu") ? host.value("cpu", Double.class) : 0,
                host.has("memory") ? host.value("memory", Long.class) : 0,
                host.has("disk") ? host.value("disk", Long.class) : 0);
    }

    private static double processors(String text) {
        double processors = text.matches("[0-9]+(\\.[0-9]+)?") ? Double.parseDouble(text) : 0;
        return Keys.checked(
                processors, processors >= MIN_PROCESSORS, "at least 0.01 processors, such as 0.5 or 2", text);
    }

    private static long memory(String text) {
        long bytes = Quantity.size(text);
        return Keys.checked(bytes, bytes >= MIN_BYTES, "a size of at least 4MiB, such as 512MiB", text);
    }

    private static long disk(String text) {
        long bytes =
                text.endsWith(PER_SECOND) ? Quantity.size(text.substring(0, text.length() - PER_SECOND.length())) : 0;
        return Keys.checked(bytes, bytes >= 1, "a size per second such as 20MB/s", text);
    }
}
