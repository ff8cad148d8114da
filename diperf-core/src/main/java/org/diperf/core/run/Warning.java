package org.diperf.core.run;

import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * One thing to be said against the numbers of a run, or of a part of it. Whoever notices it decides how grave it is and what it
 * is about; nobody reads that out of the text again.
 *
 * @param severity what it does to the verdict
 * @param subject what it is about
 * @param text one line
 */
public record Warning(Severity severity, Subject subject, String text) {

    /** What a warning does to the verdict. */
    public enum Severity {
        /** The numbers hold for what was measured. */
        NOTE,
        /** The numbers are in doubt. */
        SUSPECT
    }

    /** What a warning is about. */
    public enum Subject {
        /** How the run was carried out, or ended. */
        RUN,
        /** What was offered, and which part of it was measured. */
        LOAD,
        /** The load generator's own limits. */
        GENERATOR,
        /** A tester that was lost, did not start, or did not do what it was told. */
        TESTER,
        CLOCK,
        /** What the testbed has made for the run, and whatever else an annex tells. */
        TESTBED,
        SAMPLES,
        /** The service under test and what monitors saw of it. */
        SERVICE
    }

    public Warning {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(text, "text");
    }

    /** Makes a warning that leaves the verdict as it is. */
    public static Warning note(Subject subject, String text) {
        return new Warning(Severity.NOTE, subject, text);
    }

    /** Makes a warning that puts the numbers in doubt. */
    public static Warning suspect(Subject subject, String text) {
        return new Warning(Severity.SUSPECT, subject, text);
    }

    /** Returns whether the numbers are in doubt for it. */
    public boolean isSuspect() {
        return severity == Severity.SUSPECT;
    }

    /** Returns the same warning with its text changed, such as one that may name a secret. */
    public Warning masked(UnaryOperator<String> mask) {
        return new Warning(severity, subject, mask.apply(text));
    }
}
