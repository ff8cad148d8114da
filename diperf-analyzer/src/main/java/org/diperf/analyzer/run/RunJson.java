package org.diperf.analyzer.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.RunRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/**
 * {@code run.json}: the one place that knows how a {@link RunRecord}, and the load in it, is written. A load is written
 * as it is planned: its records' components by name, and which of several kinds one is by its simple name in lower case.
 */
public final class RunJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            // A question such as isLimited() is no component.
            .changeDefaultVisibility(visibility -> visibility.withIsGetterVisibility(Visibility.NONE))
            .addMixIn(Load.class, ByModel.class)
            .addMixIn(ClientLifetimes.class, ByKind.class)
            .addMixIn(ThinkTime.class, ByKind.class)
            .registerSubtypes(kinds(Load.class, ClientLifetimes.class, ThinkTime.class))
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "model")
    private interface ByModel {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    private interface ByKind {}

    private RunJson() {}

    private static NamedType[] kinds(Class<?>... types) {
        return Arrays.stream(types)
                .flatMap(type ->
                        Arrays.stream(type.getPermittedSubclasses()).map(kind -> new NamedType(kind, name(kind, type))))
                .toArray(NamedType[]::new);
    }

    /** A {@code ClosedLoad} is {@code closed}. */
    private static String name(Class<?> kind, Class<?> type) {
        String name = kind.getSimpleName();
        String common = type.getSimpleName();
        return (name.endsWith(common) ? name.substring(0, name.length() - common.length()) : name)
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a record.
     *
     * @throws IOException when it is none, or cannot be read
     */
    public static RunRecord read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("Expected a run directory with " + RunFiles.RUN + ", got none at " + file
                    + "; specify the folder that 'diperf run' wrote");
        }
        try {
            JsonNode tree = JSON.readTree(PlainFile.read(file, PlainFile.MAX_JSON));
            String format = tree.path("format").asString("none");
            if (format.startsWith("diperf-run/") && !RunRecord.FORMAT.equals(format)) {
                throw new IOException(file + ": expected format " + RunRecord.FORMAT + ", got " + format
                        + "; analyse it with the DiPerF version that wrote it");
            }
            if (!RunRecord.FORMAT.equals(format)) {
                throw new IOException(
                        file + " is not a run record: expected format " + RunRecord.FORMAT + ", got " + format);
            }
            return JSON.treeToValue(tree, RunRecord.class);
        } catch (JacksonException | IllegalArgumentException e) {
            String reason = e instanceof JacksonException json ? json.getOriginalMessage() : e.getMessage();
            throw new IOException(
                    file + " is not a run record, or is damaged: " + reason
                            + "; restore it from a copy of the run directory, or analyse it with the DiPerF build that wrote it",
                    e);
        }
    }

    /** Writes a record, as a {@link AtomicFile}. */
    public static void write(Path file, RunRecord record) throws IOException {
        AtomicFile.write(file, JSON.writeValueAsBytes(record));
    }
}
