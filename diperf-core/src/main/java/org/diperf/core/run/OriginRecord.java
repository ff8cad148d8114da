package org.diperf.core.run;

import java.util.List;
import java.util.Map;

/**
 * Where the samples of a run directory came from, when not from the run itself.
 *
 * @param kind {@link #IMPORTED} or {@link #REPAIRED}
 * @param from in words: the file, or the folder, and its format
 * @param absent what the calls do not contain: {@link #SEND_LAG}, {@link #BYTES}, {@link #CLOCKS}, which imported calls
 *     never do
 * @param missingBlocks number of blocks that a repair lost for good, by tester number
 */
public record OriginRecord(String kind, String from, List<String> absent, Map<Integer, Long> missingBlocks) {

    /** Made of the file of another program. */
    public static final String IMPORTED = "imported";
    /** Made of what could be used of a damaged run directory. */
    public static final String REPAIRED = "repaired";
    /** Nobody knows when calls were sent: send lag and service time are absent. */
    public static final String SEND_LAG = "sendLag";
    /** Nobody knows what calls moved. */
    public static final String BYTES = "bytes";
    /** A repair found no exchanges with the clock of a tester: it is unknown for good. */
    public static final String CLOCKS = "clocks";

    /** Copies what it is given. */
    public OriginRecord {
        absent = List.copyOf(absent);
        missingBlocks = Map.copyOf(missingBlocks);
    }
}
