package org.diperf.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.MediaType;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.JUnitException;

/** Attaches a report to its test, for IDEs and CI tools that show what a test has left. */
final class Attachment {

    private static final String REPORT = "report.html";

    private Attachment() {}

    /** Attaches the report of a run; where this JUnit cannot attach files, names it in a report entry. */
    static void attach(ExtensionContext context, Path folder) {
        Path report = folder.resolve(REPORT).toAbsolutePath();
        try {
            context.publishFile(REPORT, MediaType.create("text", "html"), file -> Files.copy(report, file));
        } catch (LinkageError | JUnitException cannot) {
            // It is older than 5.14, or has nowhere to put files: no reason to fail a test.
            context.publishReportEntry(Map.of("diperf report", report.toString()));
        }
    }
}
