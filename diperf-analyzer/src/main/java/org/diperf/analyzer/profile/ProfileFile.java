package org.diperf.analyzer.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.profile.Profile.Level;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code profile.json}. */
public final class ProfileFile {

    /** In a run's folder. */
    public static final String NAME = "profile.json";

    private static final long MAX_BYTES = 16 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ProfileFile() {}

    /** Writes a profile; a file of that name is replaced. */
    public static void write(Profile profile, Path file) throws IOException {
        SummaryFile.write(profile, file);
    }

    /**
     * Reads a profile.
     *
     * @param given the file, or the folder of a run that has one
     * @throws IOException when there is none, or it is damaged or of another version
     */
    public static Profile read(Path given) throws IOException {
        Path file = Files.isDirectory(given) ? given.resolve(NAME) : given;
        if (!Files.isRegularFile(file)) {
            throw new IOException(given + ": expected a profile, got "
                    + (Files.isDirectory(given)
                            ? "a folder without " + NAME + "; a run writes one if it has at least "
                                    + FittedModel.FEWEST_LEVELS + " usable levels (load.levels)"
                            : "no such file"));
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(
                    file + ": expected a profile of at most " + MAX_BYTES + " bytes, got " + Files.size(file));
        }
        try {
            JsonNode tree = JSON.readTree(Files.readAllBytes(file));
            String format = tree.path("format").asString("");
            if (!format.equals(Profile.FORMAT)) {
                throw new IOException(
                        file + ": expected format " + Profile.FORMAT + ", got '" + format + "'; is it a profile?");
            }
            Profile profile = JSON.treeToValue(tree, Profile.class);
            check(profile);
            return profile;
        } catch (JacksonException | IllegalArgumentException | NullPointerException e) {
            throw new IOException(file + ": expected a profile, got a damaged one: " + e.getMessage(), e);
        }
    }

    private static void check(Profile profile) {
        if (!profile.load().equals("closed") && !profile.load().equals("open")) {
            throw new IllegalArgumentException("load is '" + profile.load() + "'");
        }
        if (profile.levels().size() < FittedModel.FEWEST_LEVELS || !(profile.thinkMillis() >= 0)) {
            throw new IllegalArgumentException("too few levels, or no think time");
        }
        double before = 0;
        for (Level level : profile.levels()) {
            if (!(level.load() > before) || !(level.perSecond() > 0) || !(level.responseMillis() > 0)) {
                throw new IllegalArgumentException("levels do not increase, or have no throughput or response time");
            }
            before = level.load();
        }
    }
}
