package org.diperf.controller.testbed;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/** A process that outlives this one, for which nobody waits and that nobody hears. */
public final class DetachedProcess {

    /** Linux compares the priorities of processes within a session, and gives sessions one of their own where it groups by them. */
    private static final String LEAST = "{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 \"$@\"";

    private DetachedProcess() {}

    /**
     * Starts a command in a session of its own, which a terminal that is closed does not end, with the lowest priority, in the current folder.
     *
     * @throws IOException when it cannot be started, such as without setsid (util-linux)
     */
    public static void start(List<String> command) throws IOException {
        List<String> detached = new ArrayList<>(List.of("setsid", "sh", "-c", LEAST, "sh"));
        detached.addAll(command);
        new ProcessBuilder(detached)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }
}
