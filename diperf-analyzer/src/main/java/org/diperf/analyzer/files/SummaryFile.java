package org.diperf.analyzer.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.result.Summary;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.run.Warning;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** {@code summary.json}: absent what was not measured, never {@code NaN}, at most nine decimals; of warnings the texts alone. */
public final class SummaryFile {

    /** In a run's folder, or in that of a grid. */
    public static final String NAME = "summary.json";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .changeDefaultPropertyInclusion(found -> found.withValueInclusion(JsonInclude.Include.NON_NULL)
                    .withContentInclusion(JsonInclude.Include.NON_NULL))
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Decimal())
                    .addSerializer(double.class, new Decimal())
                    .addSerializer(Warning.class, new TextOf())
                    .addDeserializer(Warning.class, new OfText()))
            .build();

    private SummaryFile() {}

    /**
     * Writes a summary.
     *
     * @param summary of a run or of a grid of runs: a record
     * @param file is replaced
     */
    public static void write(Object summary, Path file) throws IOException {
        AtomicFile.write(file, json(summary) + "\n");
    }

    /**
     * Reads the summary of a run.
     *
     * @throws IOException when it is none, or a damaged one
     */
    public static Summary read(Path file) throws IOException {
        try {
            return MAPPER.readValue(PlainFile.read(file, PlainFile.MAX_JSON), Summary.class);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a run summary, or is damaged: " + e.getOriginalMessage()
                            + "; recreate it with: diperf report " + file.getParent(),
                    e);
        }
    }

    public static String json(Object summary) throws IOException {
        try {
            return MAPPER.writeValueAsString(summary);
        } catch (JacksonException e) {
            throw new IOException("Could not write the summary: " + e.getOriginalMessage(), e);
        }
    }

    /** The file has of a warning what people read; whether it puts the numbers in doubt is in the verdict. */
    private static final class TextOf extends StdSerializer<Warning> {

        TextOf() {
            super(Warning.class);
        }

        @Override
        public void serialize(Warning value, JsonGenerator generator, SerializationContext context) {
            generator.writeString(value.text());
        }
    }

    /** Whether a warning of a file puts the numbers in doubt is not in it. */
    private static final class OfText extends ValueDeserializer<Warning> {

        @Override
        public Warning deserialize(JsonParser parser, DeserializationContext context) {
            return Warning.note(Warning.Subject.RUN, parser.getString());
        }
    }

    /** Cuts the rounding of binary fractions, which nobody measured. */
    private static final class Decimal extends StdSerializer<Double> {

        private static final double SCALE = 1e9;

        Decimal() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
            if (value.isNaN() || value.isInfinite()) {
                throw new IllegalStateException("A value that was not measured must be absent, got " + value);
            }
            double rounded = Math.abs(value) < 1e6 ? Math.round(value * SCALE) / SCALE : value;
            generator.writeNumber(rounded);
        }
    }
}
