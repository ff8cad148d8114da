package org.diperf.plugins.gram;

import java.time.Duration;
import java.util.Locale;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/**
 * What the parameters say.
 *
 * @param rsl of the jobs, {@code null} where there are none
 * @param pollEveryNanos between two questions for a job's state, 0 where the job manager tells it
 * @param stages whether jobs' output comes back
 * @param delegation what a gatekeeper gets to act for the user
 * @param callbacks where job managers reach this tester
 * @param stepNanos how long a step may take
 * @param firstWordNanos how long a job manager that tells states may take to tell the first
 */
record Settings(
        @Nullable Text rsl,
        Until until,
        long pollEveryNanos,
        boolean stages,
        Delegation delegation,
        Listener.Place callbacks,
        long stepNanos,
        long firstWordNanos) {

    /** When a call has gone well. */
    enum Until {
        PING,
        SUBMITTED,
        ACTIVE,
        DONE,
        CANCELLED;

        /** Returns whether the job's states must be known. */
        boolean follows() {
            return this == ACTIVE || this == DONE || this == CANCELLED;
        }
    }

    /** What a gatekeeper gets. */
    enum Delegation {
        LIMITED,
        FULL
    }

    /**
     * @param timeout of a call
     * @throws Unusable when something does not fit together
     */
    static Settings of(Parameters with, Duration timeout) {
        Until until = Until.valueOf(with.string("until").toUpperCase(Locale.ROOT));
        Text rsl = until == Until.PING ? null : with.text("rsl");
        boolean stages = with.bool("output");
        if (stages && until != Until.DONE) {
            throw new Unusable(
                    "output",
                    "expected until: done, because a job's output is only complete when it ends, got until: "
                            + with.string("until"));
        }
        boolean polls = with.string("states").equals("poll");
        Duration every = with.duration("poll-every");
        if (every.isZero() || every.isNegative()) {
            throw new Unusable("poll-every", "expected more than 0, got '" + every.toMillis() + "ms'");
        }
        if (with.has("step-timeout") && with.duration("step-timeout").toNanos() <= 0) {
            throw new Unusable(
                    "step-timeout",
                    "expected more than 0, got " + Quantity.format(with.duration("step-timeout"))
                            + "; omit it to use three quarters of load.timeout");
        }
        Duration share = timeout.multipliedBy(3).dividedBy(4);
        Duration step = with.has("step-timeout") ? with.duration("step-timeout") : share;
        return new Settings(
                rsl,
                until,
                polls ? every.toNanos() : 0,
                stages,
                Delegation.valueOf(with.string("delegation").toUpperCase(Locale.ROOT)),
                place(with),
                step.toNanos(),
                share.toNanos());
    }

    /** Reads where job managers reach this machine. */
    static Listener.Place place(Parameters with) {
        String host = with.has(GramPlugin.CALLBACK_HOST.name()) ? with.string(GramPlugin.CALLBACK_HOST.name()) : null;
        String name = GramPlugin.CALLBACK_PORTS.name();
        if (!with.has(name)) {
            return new Listener.Place(host, 0, 0);
        }
        String given = with.string(name);
        String[] ends = given.split("-", -1);
        try {
            int first = Integer.parseInt(ends[0].strip());
            int last = Integer.parseInt(ends[ends.length - 1].strip());
            if (ends.length <= 2 && first > 0 && first <= last && last <= 65_535) {
                return new Listener.Place(host, first, last);
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new Unusable(name, "expected a range such as 20000-20100, got '" + given + "'");
    }

    /** Checks the RSL as far as it is known before the run. */
    void check() {
        Text given = rsl;
        if (given == null) {
            return;
        }
        Rsl read;
        try {
            read = Rsl.ofTemplate(given.toString());
        } catch (Rsl.MalformedRslException e) {
            throw new Unusable("rsl", String.valueOf(e.getMessage()));
        }
        if (!read.has("executable")) {
            throw new Unusable(
                    "rsl",
                    "expected an executable, because job managers reject jobs without one, got none; add one, for "
                            + "example (executable=/bin/true)");
        }
        checkExecutable(read.given("executable"));
        checkCount(read.given("count"));
        if (stages && (read.has("stdout") || read.has("stderr"))) {
            throw new Unusable(
                    "rsl",
                    "expected neither stdout nor stderr, because output: true sets them, got one; drop it or drop "
                            + "output");
        }
    }

    private static void checkExecutable(Rsl.@Nullable Given executable) {
        if (executable != null && (executable.values() > 1 || "".equals(executable.word()))) {
            throw new Unusable(
                    "rsl",
                    "expected one program as executable, because job managers reject other jobs, got "
                            + (executable.values() > 1 ? executable.values() + " values" : "''")
                            + "; pass its arguments as (arguments=...)");
        }
    }

    private static void checkCount(Rsl.@Nullable Given count) {
        String word = count == null ? null : count.word();
        boolean isNumber = word != null && word.matches("\\+?0*[1-9][0-9]{0,8}");
        if (count != null && (count.values() > 1 || (word != null && !isNumber))) {
            throw new Unusable(
                    "rsl",
                    "expected a count of 1 or more, because job managers reject other counts, got "
                            + (word == null ? count.values() + " values" : "'" + word + "'")
                            + "; set (count=1), or omit it");
        }
    }

    /** Returns whether job managers must reach this tester. */
    boolean listens() {
        return stages || (until.follows() && pollEveryNanos == 0);
    }
}
