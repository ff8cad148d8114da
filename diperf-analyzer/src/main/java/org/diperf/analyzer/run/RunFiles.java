package org.diperf.analyzer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.sample.SampleReader;

/** The files of a run directory that every reading of it starts from. */
public final class RunFiles {

    /** The run record; see {@link RunJson}. */
    public static final String RUN = "run.json";
    /** The exchanges of clock readings. */
    public static final String CLOCK = "clock.csv";
    /** Folder of the testers' samples. */
    public static final String SAMPLES = "samples";
    /** Folder of what monitors saw. */
    public static final String MONITORS = "monitors";

    /** Folder of what testbed, monitors and client left to be shown; see {@link AnnexJson}. */
    public static final String ANNEXES = "annexes";

    private RunFiles() {}

    /** Sums up the bytes of a run's samples; 0 where there are none. */
    public static long sampleBytes(Path runDir) throws IOException {
        Path folder = runDir.resolve(SAMPLES);
        long bytes = 0;
        if (Files.isDirectory(folder)) {
            for (Path file : SampleReader.files(folder)) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
