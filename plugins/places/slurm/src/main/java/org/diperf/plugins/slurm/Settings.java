package org.diperf.plugins.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.batch.BatchTestbed;

/**
 * What the experiment says of the testbed.
 *
 * @param partition empty: Slurm's default
 * @param account empty: the user's default
 * @param nodes 0: Slurm decides
 * @param testersPerNode 0: Slurm decides
 * @param timeLimit of a job; zero: the partition's
 * @param patience while a job waits in the queue
 * @param extra options for sbatch
 * @param folder shared by the nodes; empty: the home folder
 * @param submitOn where sbatch is; empty: here
 */
record Settings(
        String partition,
        String account,
        int nodes,
        int testersPerNode,
        Duration timeLimit,
        Duration patience,
        List<String> extra,
        String folder,
        String submitOn) {

    static final String PARTITION = "partition";
    static final String ACCOUNT = "account";
    static final String NODES = "nodes";
    static final String TESTERS_PER_NODE = "testers-per-node";
    static final String TIME_LIMIT = "time-limit";
    static final String EXTRA = "extra";
    static final String FOLDER = "folder";
    static final String SUBMIT_ON = "submit-on";

    /** Without a leading hyphen, which ssh would take for an option. */
    private static final String LOG_IN = "([A-Za-z0-9_.][A-Za-z0-9_.-]*@)?[A-Za-z0-9_.:\\[][A-Za-z0-9_.:\\[\\]-]*";

    Settings {
        extra = List.copyOf(extra);
        if (!submitOn.isEmpty() && !submitOn.matches(LOG_IN)) {
            throw new IllegalArgumentException(
                    "testbed.submit-on: expected [user@]host, such as me@login.site.org, got '" + submitOn + "'");
        }
        for (String option : extra) {
            if (!option.startsWith("-")) {
                throw new IllegalArgumentException(
                        "testbed.extra: expected sbatch options, each with its value in one string such as "
                                + "--constraint=avx, got '" + option + "'");
            }
        }
    }

    static Settings of(Parameters with) {
        return new Settings(
                text(with, PARTITION),
                text(with, ACCOUNT),
                count(with, NODES),
                count(with, TESTERS_PER_NODE),
                with.has(TIME_LIMIT) ? with.duration(TIME_LIMIT) : Duration.ZERO,
                with.duration(BatchTestbed.WAIT.name()),
                with.texts(EXTRA).stream().map(Text::toString).toList(),
                text(with, FOLDER),
                text(with, SUBMIT_ON));
    }

    private static String text(Parameters with, String name) {
        return with.has(name) ? with.string(name).strip() : "";
    }

    private static int count(Parameters with, String name) {
        long count = with.has(name) ? with.integer(name) : 0;
        if (with.has(name) && (count < 1 || count > 100_000)) {
            throw new IllegalArgumentException("testbed." + name + ": expected 1 or more, got " + count);
        }
        return (int) count;
    }

    /** Returns sbatch's options for a job of so many testers. What the experiment adds comes last, and so wins. */
    List<String> options(int testers) {
        List<String> options = new ArrayList<>(List.of("--job-name=diperf", "--ntasks=" + testers));
        // Started anew by Slurm the testers would find no tickets; and the failure of one node must not end the others.
        options.addAll(List.of("--no-requeue", "--no-kill"));
        add(options, "--partition=", partition);
        add(options, "--account=", account);
        if (nodes > 0) {
            options.add("--nodes=" + Math.min(nodes, testers));
        }
        if (testersPerNode > 0) {
            options.add("--ntasks-per-node=" + Math.min(testersPerNode, testers));
        }
        if (!timeLimit.isZero()) {
            long seconds = Math.max(1, timeLimit.toSeconds());
            options.add(
                    String.format(Locale.ROOT, "--time=%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60));
        }
        options.addAll(extra);
        return options;
    }

    private static void add(List<String> options, String name, String value) {
        if (!value.isEmpty()) {
            options.add(name + value);
        }
    }
}
