package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.StarterPlugin;

/** Makes an experiment of a recording of a browser (HAR 1.2). */
public final class HarStarter implements StarterPlugin {

    private static final String WITHOUT_ASSETS = "without-assets";

    @Override
    public String id() {
        return "har";
    }

    @Override
    public String summary() {
        return "Create a journey from a browser recording (HAR 1.2): its requests and pauses, with captures for "
                + "values in a response that a later request sends";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.withDefault(
                WITHOUT_ASSETS,
                Parameter.Type.BOOLEAN,
                "false",
                "omit images, style sheets, scripts, fonts and media"));
    }

    @Override
    public String client() {
        return "http";
    }

    @Override
    public String example() {
        return "init shop --har shop.har --without-assets   shop.yml, a journey from a browser recording";
    }

    @Override
    public Draft draft(String source, Given given) throws IOException {
        Path file = Path.of(source);
        Imported all = HarFile.read(file);
        List<RecordedRequest> kept = new ArrayList<>(all.requests());
        List<Imported.LeftOut> leftOut = new ArrayList<>(all.leftOut());
        if (given.with().bool(WITHOUT_ASSETS)) {
            kept.removeIf(RecordedRequest::isAsset);
            int assets = all.requests().size() - kept.size();
            leftOut.addAll(Collections.nCopies(assets, new Imported.LeftOut("", "--" + WITHOUT_ASSETS)));
        }
        return JourneyDraft.of(
                new Imported(kept, leftOut, all.notes()), "Created from the recording " + file.getFileName());
    }
}
