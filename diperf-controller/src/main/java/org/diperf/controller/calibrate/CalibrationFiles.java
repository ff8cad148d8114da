package org.diperf.controller.calibrate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.controller.run.Calibrations;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.run.CalibrationRecord;
import org.diperf.core.wire.TesterFacts;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of calibrations: a file for each host and client, so that machines that share a home find one another's. Looked up
 * once for each; confined to one thread.
 */
public final class CalibrationFiles implements Calibrations {

    /** A file that is larger is none of ours. */
    private static final long MAX_BYTES = 1 << 16;

    /** Made when it is needed, which is not before a run has started its testers. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    private final Path folder;
    private final Machine here;
    private final String diperfVersion;
    private final Map<Path, Optional<Calibration>> known = new HashMap<>();

    /**
     * @param folder need not exist
     * @param here on which this program runs
     * @param diperfVersion of this program; calibrations of others are not used
     */
    public CalibrationFiles(Path folder, Machine here, String diperfVersion) {
        this.folder = folder;
        this.here = here;
        this.diperfVersion = diperfVersion;
    }

    /** Names the file of a client's calibration on this machine. */
    public Path file(String client) {
        return file(here.host(), client);
    }

    /** A host's name comes from its testers: it may name a file, but no folder. */
    private Path file(String host, String client) {
        return folder.resolve(host.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + client + ".json");
    }

    @Override
    public List<CalibrationRecord> of(List<TesterFacts> testers, String client) {
        return testers.stream()
                .map(TesterFacts::host)
                .distinct()
                .flatMap(host -> Stream.of(file(host, client))
                        .flatMap(file -> known(file).stream())
                        .filter(calibration -> calibration.client().equals(client)
                                && calibration.machine().host().equals(host)
                                && testers.stream()
                                        .filter(tester -> tester.host().equals(host))
                                        .allMatch(tester -> fits(calibration, tester))))
                .map(Calibration::record)
                .toList();
    }

    private boolean fits(Calibration calibration, TesterFacts tester) {
        boolean sameProcessor = !tester.host().equals(here.host())
                || calibration.machine().processor().equals(here.processor());
        return sameProcessor
                && calibration.misfit(tester.cores(), diperfVersion).isEmpty();
    }

    private Optional<Calibration> known(Path file) {
        return known.computeIfAbsent(file, missing -> {
            try {
                return Optional.of(read(missing));
            } catch (IOException e) {
                // A run is not worth less without it, and 'calibrate' says what is wrong with it.
                return Optional.empty();
            }
        });
    }

    /**
     * Says why runs do not use a calibration that is there; empty: they do, or there is none.
     *
     * @param file of this machine's
     */
    public Optional<String> unused(Path file) {
        try {
            return read(file).misfit(here, diperfVersion);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads a file.
     *
     * @throws NoSuchFileException when there is none
     * @throws IOException when it is not a calibration, or is damaged
     */
    public static Calibration read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is not a calibration: it is larger than " + MAX_BYTES + " bytes");
        }
        Calibration read;
        try {
            read = Json.MAPPER.readValue(Files.readAllBytes(file), Calibration.class);
        } catch (JacksonException e) {
            throw new IOException(file + " is not a calibration, or is damaged: " + e.getOriginalMessage(), e);
        }
        if (!isComplete(read)) {
            throw new IOException(file + " is not a calibration: expected all fields of format " + Calibration.FORMAT
                    + ", but some are missing");
        }
        return read;
    }

    /** Jackson leaves out what a file does not have. */
    private static boolean isComplete(@Nullable Calibration read) {
        return read != null
                && Calibration.FORMAT.equals(read.format())
                && Stream.of(read.client(), read.at(), read.diperfVersion(), read.fullSpeed(), read.openLoad())
                        .allMatch(CalibrationFiles::isThere)
                && isThere(read.idle())
                && isThere(read.machine())
                && isThere(read.machine().host())
                && isThere(read.machine().processor())
                && read.fullSpeed().callsPerSecond() > 0;
    }

    private static boolean isThere(@Nullable Object value) {
        return value != null;
    }

    /**
     * Writes a file, and makes its folder where that is missing.
     *
     * @throws IOException when it cannot be written; what was there stays
     */
    public static void write(Calibration calibration, Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            DurableFiles.folder(parent);
        }
        byte[] json = (SummaryFile.json(calibration) + "\n").getBytes(StandardCharsets.UTF_8);
        AtomicFile.writeThrough(file, out -> out.write(json));
    }
}
