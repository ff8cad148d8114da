package org.diperf.analyzer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.SampleReader;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files of a run directory that every reading of it starts from. */
public final class RunFiles {

    /** The run record. */
    public static final String RUN = "run.json";
    /** The exchanges of clock readings. */
    public static final String CLOCK = "clock.csv";
    /** Folder of the testers' samples. */
    public static final String SAMPLES = "samples";
    /** Folder of what monitors saw. */
    public static final String MONITORS = "monitors";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

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

    /**
     * Reads {@code run.json}.
     *
     * @throws IOException when it is none, or cannot be read
     */
    public static RunRecord readRun(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("Wanted a run directory with " + RUN + ", found none at " + file
                    + "; name the folder that 'diperf run' wrote");
        }
        try {
            JsonNode tree = JSON.readTree(Files.readAllBytes(file));
            String format = tree.path("format").asString("none");
            if (format.startsWith("diperf-run/") && !RunRecord.FORMAT.equals(format)) {
                throw new IOException(file + ": wanted format " + RunRecord.FORMAT + ", found " + format
                        + ": analyse it with the DiPerF that wrote it");
            }
            if (!RunRecord.FORMAT.equals(format)) {
                throw new IOException(
                        file + " is no run record: wanted format " + RunRecord.FORMAT + ", found " + format);
            }
            return JSON.treeToValue(tree, RunRecord.class);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is no run record, or a damaged one: " + e.getOriginalMessage()
                            + "; restore it from a copy of the run directory",
                    e);
        }
    }
}
