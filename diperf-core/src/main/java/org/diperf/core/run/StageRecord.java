package org.diperf.core.run;

import org.jspecify.annotations.Nullable;

/**
 * One stage. Absent values belong to the other model.
 *
 * @param number from 0
 * @param model {@code closed} or {@code open}
 * @param startNanos after the start of the run
 * @param endNanos from which no more calls begin, after the start of the run
 * @param clients of closed load
 * @param startEveryNanos of closed load
 * @param runForNanos of closed load: how long a client lives, or the planned length of a ramp
 * @param think of closed load, in words
 * @param perSecond of open load
 * @param arrivals of open load
 * @param rampNanos of open load
 * @param maxInFlight of open load
 * @param timeoutNanos of both
 * @param fromClients of closed load whose number of clients moves: at the begin
 * @param toClients of closed load whose number of clients moves: at the end
 * @param fromPerSecond of open load: at the begin of the ramp, where not 0
 * @param quotaCalls of closed load: calls after which it is over
 * @param quotaBytes of closed load: bytes after which it is over
 * @param onFailure what a failed call does, where it does something: {@code retire-client} or {@code abort}
 * @param level what a level or a probe of a search was about; absent for other stages
 * @param group whose stage it is; absent where the run has no groups. Groups run side by side, and the stages of each
 *     follow one another
 */
public record StageRecord(
        int number,
        String model,
        long startNanos,
        long endNanos,
        @Nullable Integer clients,
        @Nullable Long startEveryNanos,
        @Nullable Long runForNanos,
        @Nullable String think,
        @Nullable Double perSecond,
        @Nullable String arrivals,
        @Nullable Long rampNanos,
        @Nullable Integer maxInFlight,
        long timeoutNanos,
        @Nullable Integer fromClients,
        @Nullable Integer toClients,
        @Nullable Double fromPerSecond,
        @Nullable Long quotaCalls,
        @Nullable Long quotaBytes,
        @Nullable String onFailure,
        @Nullable LevelRecord level,
        @Nullable String group) {

    /** Makes a stage that is nothing special. */
    public StageRecord(
            int number,
            String model,
            long startNanos,
            long endNanos,
            @Nullable Integer clients,
            @Nullable Long startEveryNanos,
            @Nullable Long runForNanos,
            @Nullable String think,
            @Nullable Double perSecond,
            @Nullable String arrivals,
            @Nullable Long rampNanos,
            @Nullable Integer maxInFlight,
            long timeoutNanos) {
        this(
                number,
                model,
                startNanos,
                endNanos,
                clients,
                startEveryNanos,
                runForNanos,
                think,
                perSecond,
                arrivals,
                rampNanos,
                maxInFlight,
                timeoutNanos,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
