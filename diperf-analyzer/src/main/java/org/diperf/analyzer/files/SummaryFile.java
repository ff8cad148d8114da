package org.diperf.analyzer.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes {@code summary.json}: absent what was not measured, never {@code NaN}, at most nine decimals. */
public final class SummaryFile {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .changeDefaultPropertyInclusion(found -> found.withValueInclusion(JsonInclude.Include.NON_NULL))
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Decimal())
                    .addSerializer(double.class, new Decimal()))
            .build();

    private SummaryFile() {}

    /**
     * Writes a summary.
     *
     * @param summary of a run or of a grid of runs: a record
     * @param file is replaced
     */
    public static void write(Object summary, Path file) throws IOException {
        Files.writeString(file, json(summary) + "\n", StandardCharsets.UTF_8);
    }

    public static String json(Object summary) throws IOException {
        try {
            return MAPPER.writeValueAsString(summary);
        } catch (JacksonException e) {
            throw new IOException("The summary cannot be written: " + e.getOriginalMessage(), e);
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
                throw new IllegalStateException("A value that was not measured must be absent, found " + value);
            }
            double rounded = Math.abs(value) < 1e6 ? Math.round(value * SCALE) / SCALE : value;
            generator.writeNumber(rounded);
        }
    }
}
