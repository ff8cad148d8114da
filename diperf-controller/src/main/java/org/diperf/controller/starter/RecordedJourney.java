package org.diperf.controller.starter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.YamlDocument;
import org.jspecify.annotations.Nullable;

/** Makes experiments whose clients do what was recorded in a browser, copied as a line of curl, or described. */
public final class RecordedJourney {

    private RecordedJourney() {}

    /**
     * A first experiment.
     *
     * @param text of its file
     * @param steps how many requests its journey makes
     * @param leftOut how many of the recording it does not
     */
    public record Made(String text, int steps, int leftOut) {}

    /**
     * Makes one of a recording of a browser (HAR 1.2).
     *
     * @param withoutAssets whether images, styles, scripts and fonts are left out
     * @throws IllegalArgumentException when it is none, or nothing is left of it
     */
    public static Made ofHar(Path file, boolean withoutAssets) throws IOException {
        List<RecordedRequest> all = HarFile.read(file);
        List<RecordedRequest> kept = new ArrayList<>(all);
        if (withoutAssets) {
            kept.removeIf(RecordedRequest::isAsset);
        }
        if (kept.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a recording with HTTP requests, got " + all.size() + ", none of which is usable");
        }
        return made(kept, all.size() - kept.size(), "Created from the recording " + file.getFileName());
    }

    /**
     * Makes one of a line of curl.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static Made ofCurl(String line) {
        return made(List.of(CurlLine.read(line)), 0, "Created from a curl command");
    }

    /**
     * Makes one of the description of a service (OpenAPI 3).
     *
     * @param target where the service is; {@code null}: where the file says
     * @throws IllegalArgumentException when it is none
     */
    public static Made ofOpenApi(Path file, @Nullable String target) throws IOException, ExperimentException {
        Map<String, Object> root = YamlDocument.read(Files.readString(file), file.toString());
        return made(OpenApiFile.read(root, target), 0, "Created from the description " + file.getFileName());
    }

    private static Made made(List<RecordedRequest> requests, int leftOut, String head) {
        JourneyDraft.Draft draft = JourneyDraft.of(requests, "recorded");
        List<String> comments = new ArrayList<>(List.of(
                head + ": one client repeats it in a loop. Captures take from an answer the values that a later",
                "request sends; check whether each belongs to the user or to the page. Pauses are as recorded."));
        comments.addAll(draft.notes());
        return new Made(YamlDocument.write(comments, draft.tree()), requests.size(), leftOut);
    }
}
