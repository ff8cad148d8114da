package org.diperf.analyzer.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.core.folder.PlainFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares {@code summary.json} with what the samples give now, in those numbers of the whole run that no option of {@code
 * report} changes.
 */
record SummaryCheck(Path runDir) {

    private static final List<String> SAME = List.of(
            "durationSeconds",
            "calls",
            "responseTime",
            "responseTimeFailed",
            "serviceTime",
            "sendLag",
            "processingTime");
    private static final double ROUNDING = 1e-9;
    private static final String NAME = SummaryFile.NAME;

    void check(List<String> problems, List<String> notes) throws IOException {
        Path file = runDir.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            notes.add("there is no " + NAME + "; diperf report " + runDir + " creates it");
            return;
        }
        JsonMapper json = JsonMapper.builder().build();
        JsonNode found;
        try {
            found = json.readTree(PlainFile.read(file, PlainFile.MAX_JSON));
        } catch (JacksonException e) {
            problems.add(NAME + " cannot be read: " + e.getOriginalMessage() + "; diperf report " + runDir
                    + " recreates it");
            return;
        }
        JsonNode now = json.readTree(Analyzer.summaryJson(Analyzer.analyze(runDir, Analyzer.Options.AS_RECORDED)));
        int differ = 0;
        String first = "";
        for (String path : SAME) {
            String where = difference(path, found.path(path), now.path(path));
            differ += where.isEmpty() ? 0 : 1;
            first = first.isEmpty() ? where : first;
        }
        if (differ > 0) {
            problems.add(NAME + " does not match the samples in " + differ + " of " + SAME.size()
                    + " parts; the first is "
                    + first + "; diperf report recreates it");
        }
    }

    private static String difference(String path, JsonNode found, JsonNode now) {
        if (found.isNumber() && now.isNumber()) {
            double one = found.asDouble();
            double other = now.asDouble();
            return Math.abs(one - other) <= ROUNDING * Math.max(1, Math.abs(other))
                    ? ""
                    : path + ": expected " + other + ", got " + one;
        }
        if (found.isObject() && now.isObject()) {
            Set<String> names = new TreeSet<>(found.propertyNames());
            names.addAll(now.propertyNames());
            for (String name : names) {
                String inner = difference(path + "." + name, found.path(name), now.path(name));
                if (!inner.isEmpty()) {
                    return inner;
                }
            }
            return "";
        }
        return found.equals(now) ? "" : path + ": expected " + now + ", got " + found;
    }
}
