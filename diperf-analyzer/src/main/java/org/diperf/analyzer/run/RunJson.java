package org.diperf.analyzer.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.Think;
import org.diperf.core.run.RunRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code run.json}: the one place that knows how a {@link RunRecord}, and the load in it, is written. A load is written
 * as it is planned: its records' components by name, and which of several kinds one is by its simple name in lower case.
 */
public final class RunJson {

    /**
     * What a load is made of, written and read. A component that a file of an older build lacks is 0 or {@code null}; what is
     * around the load must be complete.
     */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // A question such as isLimited() is no component.
            .changeDefaultVisibility(visibility -> visibility.withIsGetterVisibility(Visibility.NONE))
            .addMixIn(Load.class, ByModel.class)
            .addMixIn(ClientLifetimes.class, ByKind.class)
            .addMixIn(Think.class, ByKind.class)
            .registerSubtypes(kinds(Load.class, ClientLifetimes.class, Think.class))
            .build();

    private static final JsonMapper COMPLETE = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addModule(new SimpleModule().addDeserializer(Load.class, new LoadReader()))
            .build();

    /** Components that the first records of this version do not have. */
    private static final List<String> LATER = List.of("spools", "calibrations", "journeys", "trace");

    /** What is said since then of each item of a list, and was not so before. */
    private static final Map<String, List<String>> LATER_OF_ITEMS =
            Map.of("events", List.of("isChange", "isByHand"), "monitors", List.of("isOfTestbed"));

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

    /** Reads a load where the record around it is read. */
    private static final class LoadReader extends ValueDeserializer<Load> {

        @Override
        public Load deserialize(JsonParser parser, DeserializationContext context) {
            return JSON.treeToValue(context.readTree(parser), Load.class);
        }

        @Override
        public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type) {
            return deserialize(parser, context);
        }
    }

    /**
     * Reads a record, of this version or of the one before.
     *
     * @throws IOException when it is none, or cannot be read
     */
    public static RunRecord read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("Expected a run directory with " + RunFiles.RUN + ", got none at " + file
                    + "; name the folder that 'diperf run' wrote");
        }
        try {
            JsonNode tree = COMPLETE.readTree(Files.readAllBytes(file));
            String format = tree.path("format").asString("none");
            if (RunJsonVersion1.FORMAT.equals(format)) {
                return record(RunJsonVersion1.converted(tree, JSON));
            }
            List<String> known = List.of(RunJsonVersion1.FORMAT, RunRecord.FORMAT);
            if (format.startsWith("diperf-run/") && !RunRecord.FORMAT.equals(format)) {
                throw new IOException(file + ": expected a format of " + known + ", got " + format
                        + ": analyse it with the DiPerF that wrote it");
            }
            if (!RunRecord.FORMAT.equals(format)) {
                throw new IOException(file + " is no run record: expected a format of " + known + ", got " + format);
            }
            return record(tree);
        } catch (JacksonException | IllegalArgumentException e) {
            String reason = e instanceof JacksonException json ? json.getOriginalMessage() : e.getMessage();
            throw new IOException(
                    file + " is no run record, or a damaged one: " + reason
                            + "; restore it from a copy of the run directory",
                    e);
        }
    }

    /** Reads what has the components of today's record, but for those that came later. */
    private static RunRecord record(JsonNode tree) {
        if (tree instanceof ObjectNode fields) {
            for (String later : LATER) {
                if (!fields.has(later)) {
                    fields.putNull(later);
                }
            }
            LATER_OF_ITEMS.forEach((list, later) -> fields.path(list).forEach(item -> later.stream()
                    .filter(name -> item instanceof ObjectNode && !item.has(name))
                    .forEach(name -> ((ObjectNode) item).put(name, false))));
        }
        return COMPLETE.treeToValue(tree, RunRecord.class);
    }

    /** Writes a record, as a {@link AtomicFile}. */
    public static void write(Path file, RunRecord record) throws IOException {
        AtomicFile.write(file, JSON.writeValueAsBytes(record));
    }
}
