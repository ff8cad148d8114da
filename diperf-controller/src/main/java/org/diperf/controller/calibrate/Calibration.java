package org.diperf.controller.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.diperf.core.run.CalibrationRecord;
import org.jspecify.annotations.Nullable;

/**
 * The content of a calibration's file: what one tester on a machine can do against a service that does nothing. What was not
 * measured is {@code null}.
 *
 * @param format {@link #FORMAT}
 * @param client id of the client plugin
 * @param at when it was measured, ISO 8601 in UTC
 * @param diperfVersion that measured it
 * @param fullSpeed when each client calls again at once
 * @param openLoad at the highest of a few shares of that rate at which a tester sent what was due
 * @param idle without any call
 * @param others what else took processors while it was measured; {@code null}: the system does not tell
 */
public record Calibration(
        String format,
        String client,
        String at,
        String diperfVersion,
        Machine machine,
        FullSpeed fullSpeed,
        Open openLoad,
        Idle idle,
        @Nullable Others others) {

    /** Name and version of the format. */
    public static final String FORMAT = "diperf-calibration/1";

    /** From this share on, in percent, what others took makes a calibration doubtful. */
    private static final double MAX_PERCENT = 10;

    /** More is too much for the p99 of the calls that were sent to be that of all. */
    private static final double MAX_DROPPED_PERCENT = 0.1;

    /**
     * @param callsPerSecond mean of ok calls
     * @param clients that called
     * @param processorsBusy of the machine, with the service and all else; mean
     * @param cpuMicrosPerCall processor time of the tester for a call
     */
    public record FullSpeed(
            double callsPerSecond,
            int clients,
            @Nullable Double processorsBusy,
            @Nullable Double cpuMicrosPerCall) {}

    /**
     * @param ratePerSecond of calls that were due
     * @param callsPerSecond mean of ok calls
     * @param droppedPercent of the calls that were due: too many were in flight
     * @param cpuMicrosPerCall processor time of the tester for a call
     * @param sendLagMillis from the instant at which a call was due to its sending
     * @param errorBoundMillis what the tester itself can at most have added to a response time
     * @param before rates that were too many, from the highest
     */
    public record Open(
            double ratePerSecond,
            double callsPerSecond,
            double droppedPercent,
            @Nullable Double cpuMicrosPerCall,
            @Nullable Spread sendLagMillis,
            @Nullable Spread errorBoundMillis,
            List<TooMany> before) {

        /** Copies the list; a file that has none names none. */
        public Open {
            before = before == null ? List.of() : List.copyOf(before);
        }

        /** Returns whether the tester sent what was due. */
        public boolean keptUp() {
            return droppedPercent < MAX_DROPPED_PERCENT;
        }
    }

    /**
     * A rate of open load of which too much was not sent.
     *
     * @param ratePerSecond of calls that were due
     * @param droppedPercent of them: too many were in flight
     */
    public record TooMany(double ratePerSecond, double droppedPercent) {}

    /** Two quantiles. */
    public record Spread(double p50, double p99) {}

    /**
     * @param longestStallMillis longest time in which the tester stood still
     * @param waitedPercent of the time in which its threads had something to do that they waited for a processor; mean
     */
    public record Idle(
            @Nullable Double longestStallMillis, @Nullable Double waitedPercent) {}

    /**
     * Shares of the machine's processors, from the first run's begin to the last one's end.
     *
     * @param usedPercent by other processes than DiPerF's
     * @param stolenPercent by the hypervisor for other machines
     */
    public record Others(double usedPercent, double stolenPercent) {}

    /** Says why the numbers may be worse than what the machine can do; empty: nothing speaks against them. */
    public List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (others != null && others.usedPercent >= MAX_PERCENT) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "the machine was busy: other processes used %.0f %% of its processor time during the "
                            + "calibration",
                    others.usedPercent));
        }
        if (others != null && others.stolenPercent >= MAX_PERCENT) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "the hypervisor gave %.0f %% of the machine's processor time to other guests during the "
                            + "calibration",
                    others.stolenPercent));
        }
        return doubts;
    }

    /** Says why testers of a version on a machine are not those that were measured; empty: they are. */
    Optional<String> misfit(Machine now, String version) {
        if (!machine.host().equals(now.host())) {
            return Optional.of("it is for machine " + machine.host() + ", but this is " + now.host());
        }
        if (!machine.processor().equals(now.processor())) {
            return Optional.of("it is for processor '" + machine.processor() + "', but this machine has '"
                    + now.processor() + "'");
        }
        return misfit(now.processors(), version);
    }

    /** Likewise, where no more is known of a machine than how many processors a tester may use. */
    Optional<String> misfit(int processors, String version) {
        if (machine.processors() != processors) {
            return Optional.of(
                    "it is for " + machine.processors() + " processors, but there are " + processors + " now");
        }
        return diperfVersion.equals(version)
                ? Optional.empty()
                : Optional.of("it is from DiPerF " + diperfVersion + ", but this is " + version);
    }

    /** Returns what a run says of it. */
    CalibrationRecord record() {
        return new CalibrationRecord(
                machine.host(),
                fullSpeed.callsPerSecond(),
                at,
                doubts().isEmpty() ? null : "while the machine was busy");
    }
}
