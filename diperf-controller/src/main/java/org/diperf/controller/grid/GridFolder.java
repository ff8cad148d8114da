package org.diperf.controller.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.run.GridRecord;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The folder of a grid: where its runs lie, and how its record is written. */
public final class GridFolder {

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Path folder;

    public GridFolder(Path folder) {
        this.folder = folder;
    }

    /** Returns the folder of a run; it need not be there. */
    public Path of(PlannedRun run) {
        return folder.resolve(run.dir());
    }

    /** Writes {@code experiment.yml}, by which the grid is repeated and resumed. */
    public void writeExperiment(String yaml) throws IOException {
        AtomicFile.write(folder.resolve("experiment.yml"), yaml);
    }

    /** Writes {@code grid.json} so that a reader sees the old one or the new one. */
    public void write(GridRecord record) throws IOException {
        AtomicFile.write(folder.resolve(GridRecord.FILE), JSON.writeValueAsBytes(record));
        DurableFiles.names(folder);
    }

    /** Puts aside what a run left that was cut short, so that it can be run again; nothing is lost. */
    public void putAside(PlannedRun run) throws IOException {
        Path left = of(run);
        if (!Files.exists(left)) {
            return;
        }
        Path aside = left;
        for (int i = 1; Files.exists(aside); i++) {
            aside = folder.resolve(run.dir() + ".cut-short-" + i);
        }
        Files.move(left, aside);
    }
}
