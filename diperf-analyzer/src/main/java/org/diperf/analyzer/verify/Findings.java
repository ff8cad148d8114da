package org.diperf.analyzer.verify;

import java.util.List;

/**
 * What was found in a run directory.
 *
 * @param files one for each sample file, in their order
 * @param problems what is wrong: the directory is damaged, or contradicts itself
 * @param notes what is worth knowing and does not make it wrong
 */
public record Findings(List<SampleFile> files, List<String> problems, List<String> notes) {

    /** Copies the lists. */
    public Findings {
        files = List.copyOf(files);
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /** Returns whether nothing is wrong. */
    public boolean isClean() {
        return problems.isEmpty();
    }

    /** Counts the calls that can be used. */
    public long calls() {
        return files.stream().mapToLong(SampleFile::calls).sum();
    }

    /** Counts the blocks that can be used. */
    public long blocks() {
        return files.stream().mapToLong(SampleFile::blocks).sum();
    }

    /**
     * One sample file.
     *
     * @param name of the file
     * @param bytes its length
     * @param usableBytes those in blocks that can be used, and in a sound header
     * @param blocks that can be used
     * @param calls in them
     * @param observations in them
     * @param duplicates blocks that came before, in this file or another one
     * @param faults what cannot be used, by offset; at most 100
     * @param moreFaults how many there are beyond these
     */
    public record SampleFile(
            String name,
            long bytes,
            long usableBytes,
            long blocks,
            long calls,
            long observations,
            long duplicates,
            List<Fault> faults,
            long moreFaults) {

        /** Copies the list. */
        public SampleFile {
            faults = List.copyOf(faults);
        }
    }

    /**
     * Bytes that cannot be used.
     *
     * @param from offset in the file
     * @param to the first byte behind it
     * @param reason what was wanted and what was found
     */
    public record Fault(long from, long to, String reason) {}
}
