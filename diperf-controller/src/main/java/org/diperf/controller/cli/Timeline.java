package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.course.LoadText;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.ClosedLoad;

/** Says how long an experiment takes, and what comes when. */
final class Timeline {

    private static final int STAGES_SHOWN = 50;

    private Timeline() {}

    /** Returns at least one line; the first one is the whole. */
    static List<String> of(LoadSettings load) {
        List<String> lines = new ArrayList<>();
        if (load instanceof LoadSettings.Groups groups) {
            lines.add(whole(load));
            for (Group group : groups.groups()) {
                String head = group.name() + ", " + Headline.testers(group) + ", from "
                        + clock(group.startAfter().toNanos()) + ": ";
                of(group.load()).forEach(line -> lines.add(head + line));
            }
        } else if (load instanceof LoadSettings.Single single) {
            lines.add(whole(load) + single(single));
        } else if (load instanceof LoadSettings.Stages stages) {
            lines.add(whole(load));
            stages(stages, lines);
        } else if (load instanceof LoadSettings.Levels levels) {
            String values = levels.values().stream()
                    .map(value -> LoadText.value(levels.template(), value))
                    .collect(Collectors.joining(", "));
            lines.add(whole(load));
            lines.add(Numbers.count(levels.values().size(), "level") + ": " + values + "; " + held(levels));
        } else if (load instanceof LoadSettings.Search search) {
            lines.add(whole(load));
            lines.add("search from " + LoadText.value(search.template(), search.from()) + " to "
                    + LoadText.value(search.template(), search.to()) + " while "
                    + String.join(" && ", search.conditions())
                    + "; at most " + search.mostProbes() + " probes, " + held(search));
        }
        return lines;
    }

    private static String whole(LoadSettings load) {
        OptionalLong known = load.lengthNanos();
        if (known.isPresent()) {
            return "1 run x " + clock(known.getAsLong()) + " = " + clock(known.getAsLong());
        }
        OptionalLong longest = load.longestNanos();
        return longest.isPresent()
                ? "1 run, at most " + clock(longest.getAsLong())
                : "1 run; its duration depends on the service";
    }

    private static String single(LoadSettings.Single single) {
        if (!(single.load() instanceof ClosedLoad closed)) {
            return "";
        }
        StringBuilder line = new StringBuilder();
        if (closed.quota().calls() > 0) {
            line.append("; ends after ").append(Numbers.count(closed.quota().calls(), "call"));
        }
        if (closed.quota().bytes() > 0) {
            line.append(closed.quota().calls() > 0 ? " or " : "; ends after ")
                    .append(Numbers.count(closed.quota().bytes(), "byte"));
        }
        long lastStart = closed.clientStartNanos(closed.clients() - 1);
        if (lastStart >= closed.clientEndNanos(0)) {
            line.append("; never all clients at once: at most ")
                    .append(mostAtOnce(closed))
                    .append(", as the first one ends before the last one starts");
        } else if (lastStart > 0) {
            line.append("; all clients active from ").append(clock(lastStart));
            if (!closed.isLimited()) {
                line.append(" to ").append(clock(closed.clientEndNanos(0)));
            }
        }
        return line.toString();
    }

    private static int mostAtOnce(ClosedLoad closed) {
        int ended = 0;
        int most = 0;
        for (int started = 1; started <= closed.clients(); started++) {
            while (ended < started && closed.clientEndNanos(ended) <= closed.clientStartNanos(started - 1)) {
                ended++;
            }
            most = Math.max(most, started - ended);
        }
        return most;
    }

    private static void stages(LoadSettings.Stages stages, List<String> lines) {
        double value = 0;
        long at = 0;
        for (LoadSettings.Stages.Move move : stages.stages()) {
            double next = move.value() == null ? value : move.value();
            if (lines.size() > STAGES_SHOWN) {
                lines.add((stages.stages().size() - STAGES_SHOWN) + " more stages");
                return;
            }
            lines.add(clock(at) + " to " + clock(at + move.length().toNanos()) + "  "
                    + (next == value
                            ? LoadText.value(stages.template(), value)
                            : LoadText.value(stages.template(), value) + " to "
                                    + LoadText.value(stages.template(), next)));
            at += move.length().toNanos();
            value = next;
        }
    }

    private static String held(LoadSettings.Held held) {
        String settle = held.settle() == null
                ? "each measured for " + clock(held.hold().toNanos()) + " once it has settled (which may take "
                        + "up to " + clock(held.longestSettle().toNanos()) + ")"
                : "each measured for " + clock(held.hold().toNanos()) + " after "
                        + clock(held.longestSettle().toNanos());
        return settle;
    }

    private static String clock(long nanos) {
        return LiveLine.clock(nanos / 1e9);
    }
}
