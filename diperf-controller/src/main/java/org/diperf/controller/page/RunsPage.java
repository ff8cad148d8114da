package org.diperf.controller.page;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The page over all runs of a folder: lists them, shows their reports, follows a number, compares two. It changes nothing. */
public final class RunsPage implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunsPage.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String JSON_TYPE = "application/json";
    private static final Pattern FILE =
            Pattern.compile("/runs/([^/]+)/((?:runs/[A-Za-z0-9][^/]*/)?)([^/]+|figures/[^/]+)");
    private static final Pattern COMPARISON = Pattern.compile("/compared/([^/]+)/([^/]+)/([^/]+|figures/[^/]+)");
    private static final int MAX_RUNS = 5_000;

    private final RunCatalog shelf;
    private final Resources resources = new Resources("runs");
    /** Comparing reads all samples of two runs: one at a time. */
    private final Semaphore comparing = new Semaphore(1);

    private final PageServer server;

    /**
     * Begins to serve the page.
     *
     * @param listen address or name, such as 127.0.0.1
     * @param port 0: any that is free
     * @throws IOException when it cannot listen there
     */
    public RunsPage(RunCatalog shelf, String listen, int port) throws IOException {
        this.shelf = shelf;
        this.server =
                new PageServer((path, parameters, accept) -> get(path, parameters), listen, port, NanoClock.SYSTEM);
    }

    /** Returns the address to open. Nothing here wants the token behind the #. */
    public String link() {
        return server.link().replaceFirst("#.*", "");
    }

    /** Returns whether others than this machine can reach it. */
    public boolean isOpenToOthers() {
        return server.gate().guardsLooking();
    }

    @Override
    public void close() {
        server.close();
    }

    private PageResponse get(String path, Map<String, String> parameters) {
        try {
            return switch (path) {
                case "/runs.json" -> runs();
                case "/trend.json" -> trend(parameters.getOrDefault("name", ""), parameters.getOrDefault("number", ""));
                case "/compare" -> compare(parameters.getOrDefault("a", ""), parameters.getOrDefault("b", ""));
                default -> file(path);
            };
        } catch (IllegalArgumentException e) {
            return PageResponse.plain(400, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.debug("{} could not be shown", path, e);
            return PageResponse.plain(500, "The files could not be read: " + e.getMessage());
        }
    }

    private PageResponse runs() throws IOException {
        ObjectNode json = JSON.createObjectNode();
        List<RunCatalog.Entry> entries = shelf.runs();
        json.put("folder", String.valueOf(shelf.folder()));
        json.put("all", entries.size());
        ArrayNode rows = json.putArray("runs");
        for (RunCatalog.Entry entry : entries.stream().limit(MAX_RUNS).toList()) {
            ArrayNode row =
                    rows.addArray().add(entry.folder()).add(entry.name()).add(entry.startedAt());
            number(row, entry.seconds());
            number(row, entry.calls() < 0 ? Double.NaN : entry.calls());
            row.add(entry.runs()).add(entry.verdict());
            number(row, entry.rate());
            number(row, 100 * entry.failedShare());
            number(row, entry.p50Ms());
            number(row, entry.p99Ms());
            row.add(entry.live());
        }
        ArrayNode numbers = json.putArray("numbers");
        shelf.numbers().forEach(numbers::add);
        return PageResponse.of(JSON_TYPE, json.toString());
    }

    private PageResponse trend(String name, String number) throws IOException {
        RunCatalog.Trend trend = shelf.trend(name, number);
        ObjectNode json = JSON.createObjectNode().put("unit", trend.unit());
        ArrayNode points = json.putArray("points");
        for (RunCatalog.Point point : trend.points()) {
            ArrayNode row = points.addArray().add(point.folder()).add(point.startedAt());
            number(row, point.value());
            number(row, point.low());
            number(row, point.high());
        }
        return PageResponse.of(JSON_TYPE, json.toString());
    }

    private static void number(ArrayNode to, double value) {
        if (Double.isFinite(value)) {
            to.add(value);
        } else {
            to.addNull();
        }
    }

    private PageResponse compare(String before, String after) throws IOException {
        if (shelf.compared(before, after) == null) {
            if (!comparing.tryAcquire()) {
                return PageResponse.plain(503, "Two other runs are being compared; try again in a moment.")
                        .with("retry-after", "2");
            }
            try {
                shelf.compare(before, after);
            } finally {
                comparing.release();
            }
        }
        return PageResponse.seeOther("/compared/" + encoded(before) + "/" + encoded(after) + "/compare.html");
    }

    private static String encoded(String folder) {
        return URLEncoder.encode(folder, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private PageResponse file(String path) throws IOException {
        Matcher file = FILE.matcher(path);
        if (file.matches()) {
            Path folder = folder(file.group(1));
            return folder == null
                    ? PageResponse.plain(404, "There is no such run.")
                    : RunFiles.get(folder, file.group(2), file.group(3));
        }
        Matcher compared = COMPARISON.matcher(path);
        if (compared.matches()) {
            Path made = shelf.compared(compared.group(1), compared.group(2));
            return made == null
                    ? PageResponse.seeOther(
                            "/compare?a=" + encoded(compared.group(1)) + "&b=" + encoded(compared.group(2)))
                    : RunFiles.get(made, compared.group(3));
        }
        return resources.get(path);
    }

    /** Returns the folder of a run that is listed; a name from outside leads nowhere else. */
    private @Nullable Path folder(String name) throws IOException {
        Map<String, Path> folders = new LinkedHashMap<>();
        shelf.runs().forEach(entry -> folders.put(entry.folder(), shelf.folder().resolve(entry.folder())));
        return folders.get(name);
    }
}
