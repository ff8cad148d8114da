package org.diperf.controller.cli;

import java.io.PrintWriter;
import org.diperf.controller.progress.Progress;

/**
 * Shows of a run whose progress is not shown only what the user must do at once.
 *
 * @param err takes the lines
 */
record ActionNotices(PrintWriter err) implements Progress {

    @Override
    public void log(String line) {}

    @Override
    public void urge(String line) {
        err.println(line);
        err.flush();
    }
}
