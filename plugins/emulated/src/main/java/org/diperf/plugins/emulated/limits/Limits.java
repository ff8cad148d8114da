package org.diperf.plugins.emulated.limits;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What the programs of a host may use together.
 *
 * @param processors share of the machine's, such as 0.5; 0: all
 * @param memoryBytes with files in the page cache; 0: all
 * @param diskBytesPerSecond read from each disk, and as many written; 0: not limited
 */
public record Limits(double processors, long memoryBytes, long diskBytesPerSecond) {

    /** Limits nothing. */
    public static final Limits NONE = new Limits(0, 0, 0);

    public Limits {
        if (!(processors >= 0) || memoryBytes < 0 || diskBytesPerSecond < 0) {
            throw new IllegalArgumentException("Expected limits of 0 or more, got " + processors + " processors, "
                    + memoryBytes + " bytes, " + diskBytesPerSecond + " bytes/s");
        }
    }

    /** Returns what is limited. */
    Set<Resource> resources() {
        Set<Resource> limited = EnumSet.noneOf(Resource.class);
        if (processors > 0) {
            limited.add(Resource.PROCESSOR);
        }
        if (memoryBytes > 0) {
            limited.add(Resource.MEMORY);
        }
        if (diskBytesPerSecond > 0) {
            limited.add(Resource.DISK);
        }
        return limited;
    }

    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        if (processors > 0) {
            words.add(number(processors) + (processors == 1 ? " processor" : " processors"));
        }
        if (memoryBytes > 0) {
            words.add(number(memoryBytes / (double) (1 << 20)) + " MiB of memory");
        }
        if (diskBytesPerSecond > 0) {
            words.add(number(diskBytesPerSecond / 1e6) + " MB/s per disk");
        }
        return String.join(", ", words);
    }

    private static String number(double value) {
        return new BigDecimal(value)
                .setScale(2, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
