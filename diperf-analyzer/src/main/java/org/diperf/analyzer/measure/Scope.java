package org.diperf.analyzer.measure;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.jspecify.annotations.Nullable;

/**
 * Of what a number is: of the calls of a run, a stage, a group or a kind of request, and over which time.
 *
 * @param name of the group, the kind of request or the journey, or the number of the stage; empty for the run
 */
public record Scope(Of of, String name, Span span) {

    /** What is asked for without a scope. */
    public static final Scope MEASURED = new Scope(Of.RUN, "", Span.MEASURED);

    private static final String NAME = "[A-Za-z0-9_-]+";
    private static final Pattern PREFIX = Pattern.compile("(?:(requests|groups|journeys)\\.(" + NAME
            + ")\\.|(stages)\\.([0-9]{1,6})\\.)?(?:(whole|measured|peak)\\.)?(.*)");

    /** What a number is of. */
    public enum Of {
        RUN,
        STAGE,
        GROUP,
        REQUEST,
        JOURNEY
    }

    /** Over which time. */
    public enum Span {
        WHOLE,
        MEASURED,
        PEAK
    }

    /** A path in two: its scope, and what follows. */
    record Split(Scope scope, String rest) {}

    /** Takes the scope from a path; {@code null} where there can be no such scope. */
    static @Nullable Split split(String path) {
        Matcher matcher = PREFIX.matcher(path);
        if (!matcher.matches()) {
            return null;
        }
        String named = matcher.group(1);
        String span = matcher.group(5);
        String rest = matcher.group(6);
        if (named != null && named.equals("groups")) {
            Span over = span == null ? Span.WHOLE : Span.valueOf(span.toUpperCase(java.util.Locale.ROOT));
            return new Split(new Scope(Of.GROUP, matcher.group(2), over), rest);
        }
        if (named != null || matcher.group(3) != null) {
            // Kinds of request, journeys and stages are counted over all of their time alone.
            return span != null
                    ? null
                    : new Split(
                            named != null
                                    ? new Scope(
                                            named.equals("journeys") ? Of.JOURNEY : Of.REQUEST,
                                            matcher.group(2),
                                            Span.WHOLE)
                                    : new Scope(
                                            Of.STAGE, String.valueOf(Integer.parseInt(matcher.group(4))), Span.WHOLE),
                            rest);
        }
        return new Split(
                span == null ? MEASURED : new Scope(Of.RUN, "", Span.valueOf(span.toUpperCase(java.util.Locale.ROOT))),
                rest);
    }

    /** Returns a regular expression of scopes before quantities that every part of a run has. */
    static String partsPattern() {
        return "(?:(?:groups\\." + NAME + "\\.)?(?:whole\\.|measured\\.|peak\\.)?|stages\\.[0-9]{1,6}\\.)";
    }

    /** Returns a regular expression of scopes before quantities that a run has as a whole. */
    static String runPattern() {
        return "(?:whole\\.|measured\\.)?";
    }

    /** Returns a regular expression of scopes of kinds of request. */
    static String requestsPattern() {
        return "(?:requests|journeys)\\." + NAME + "\\.";
    }

    /** Returns whether numbers of the run that belong to no part of it can be asked for so. */
    boolean isRun() {
        return of == Of.RUN && span != Span.PEAK;
    }

    /** Finds the part in a summary; {@code null}: the run has none. */
    public @Nullable PartCounts in(Summary summary) {
        return switch (of) {
            case RUN -> in(span, summary.whole(), summary.measured(), summary.peak());
            case STAGE -> {
                var stages = summary.stages();
                yield (stages == null ? List.<Summary.StageSummary>of() : stages)
                        .stream()
                                .filter(stage -> String.valueOf(stage.number()).equals(name))
                                .findFirst()
                                .orElse(null);
            }
            case GROUP -> {
                GroupSummary group = of(summary.groups());
                yield group == null ? null : in(span, group, group.measured(), group.peak());
            }
            case REQUEST -> of(summary.requests());
            case JOURNEY -> of(summary.journeys());
        };
    }

    private <T> @Nullable T of(@Nullable Map<String, T> byName) {
        return byName == null ? null : byName.get(name);
    }

    private static @Nullable PartCounts in(
            Span span, PartCounts whole, @Nullable PartCounts measured, @Nullable PartCounts peak) {
        return switch (span) {
            case WHOLE -> whole;
            case MEASURED -> measured;
            case PEAK -> peak;
        };
    }

    /** Returns what stands before the quantity in a path; empty for what is meant anyway. */
    public String prefix() {
        String time = span.name().toLowerCase(java.util.Locale.ROOT) + ".";
        return switch (of) {
            case RUN -> span == Span.MEASURED ? "" : time;
            case STAGE -> "stages." + name + ".";
            case GROUP -> "groups." + name + "." + (span == Span.WHOLE ? "" : time);
            case REQUEST -> "requests." + name + ".";
            case JOURNEY -> "journeys." + name + ".";
        };
    }
}
