package org.diperf.analyzer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** {@code annexes/NAME.json}: the one place that knows how an {@link AnnexRecord} is written. */
public final class AnnexJson {

    private static final int MAX_BYTES = 8_000_000;
    private static final int MAX_FILES = 64;
    private static final String SUFFIX = ".json";

    private static final JsonMapper READER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private AnnexJson() {}

    /**
     * What could be read.
     *
     * @param records by name
     * @param problems what could not
     */
    public record Found(List<AnnexRecord> records, List<Warning> problems) {
        public Found {
            records = List.copyOf(records);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Writes annexes into the folder of a run; those of the same names are replaced.
     *
     * @param shown makes any text one that may leave, such as by masking secrets
     */
    public static void write(Path runDir, List<AnnexRecord> records, UnaryOperator<String> shown) throws IOException {
        if (records.isEmpty()) {
            return;
        }
        Path folder = DurableFiles.folder(runDir.resolve(RunFiles.ANNEXES));
        JsonMapper writer = JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .addModule(new SimpleModule().addSerializer(String.class, new Shown(shown)))
                .build();
        for (AnnexRecord record : records) {
            byte[] json = writer.writeValueAsBytes(record);
            if (json.length > MAX_BYTES) {
                throw new IllegalArgumentException("expected annex '"
                        + record.annex().name() + "' to take at most " + MAX_BYTES + " bytes, got " + json.length);
            }
            AtomicFile.write(folder.resolve(record.annex().name() + SUFFIX), json);
        }
    }

    private static final class Shown extends StdSerializer<String> {

        private final transient UnaryOperator<String> shown;

        Shown(UnaryOperator<String> shown) {
            super(String.class);
            this.shown = shown;
        }

        @Override
        public void serialize(String value, JsonGenerator generator, SerializationContext context) {
            generator.writeString(shown.apply(value));
        }
    }

    /** Reads the annexes of a run. */
    public static Found read(Path runDir) throws IOException {
        List<AnnexRecord> records = new ArrayList<>();
        List<Warning> problems = new ArrayList<>();
        for (Path file : files(runDir.resolve(RunFiles.ANNEXES))) {
            try {
                AnnexRecord record = READER.readValue(PlainFile.read(file, MAX_BYTES), AnnexRecord.class);
                if (!file.endsWith(record.annex().name() + SUFFIX)) {
                    throw new IllegalArgumentException("expected the annex's name to match its file name, got '"
                            + record.annex().name() + "'");
                }
                records.add(record);
            } catch (JacksonException | IllegalArgumentException | IOException e) {
                String reason = e instanceof JacksonException json ? json.getOriginalMessage() : e.getMessage();
                problems.add(Warning.note(
                        Subject.TESTBED,
                        RunFiles.ANNEXES + "/" + file.getFileName() + " cannot be read and is omitted: " + reason));
            }
        }
        return new Found(records, problems);
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(PlainFile.folder(folder))) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .limit(MAX_FILES)
                    .toList();
        }
    }
}
