package org.diperf.controller.cli;

import java.util.Collections;
import java.util.Locale;
import java.util.stream.Collectors;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.controller.course.LoadText;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.spi.Quantity;

/** Says in one line what an experiment is, in the words in which reports say what a run was. */
final class Headline {

    private Headline() {}

    /** Returns the line: name, target, load, testers. */
    static String of(Experiment experiment) {
        return RunText.header(
                experiment.name(),
                experiment.targets().each().stream().map(String::valueOf).toList(),
                load(experiment.load()),
                experiment.testbed().testers());
    }

    /** Says how many testers a group has, and which. */
    static String testers(Group group) {
        return group.testers()
                + (group.testers() == 1 ? " tester" : " testers")
                + (group.where().isEmpty() ? "" : " where " + group.where());
    }

    private static String load(LoadSettings choice) {
        if (choice instanceof LoadSettings.Single single) {
            return load(single.load());
        }
        if (choice instanceof LoadSettings.Groups groups) {
            return groups.groups().stream()
                    .map(group -> group.name() + ": " + load(group.load())
                            + (group.startAfter().isZero() ? "" : " after " + Quantity.format(group.startAfter())))
                    .collect(Collectors.joining("; "));
        }
        String model = choice.model() + " load";
        if (choice instanceof LoadSettings.Stages stages) {
            return model + " in " + Numbers.count(stages.stages().size(), "stage");
        }
        if (choice instanceof LoadSettings.Levels levels) {
            return model + ", levels from " + LoadText.value(levels.template(), Collections.min(levels.values()))
                    + " to " + LoadText.value(levels.template(), Collections.max(levels.values()));
        }
        LoadSettings.Search search = (LoadSettings.Search) choice;
        return model + ", search from " + LoadText.value(search.template(), search.from()) + " to "
                + LoadText.value(search.template(), search.to()) + ", at most "
                + Numbers.count(search.mostProbes(), "probe") + ", about " + minutes(search);
    }

    private static String minutes(LoadSettings.Search search) {
        long most = search.longestSettle().plus(search.hold()).toSeconds() * search.mostProbes();
        return Numbers.count(most / 60 + 1) + " min";
    }

    private static String load(Load load) {
        if (load instanceof OpenLoad open) {
            return RunText.open(
                    open.perSecond(),
                    open.arrivals().name().toLowerCase(Locale.ROOT),
                    open.rampNanos(),
                    open.forNanos());
        }
        ClosedLoad closed = (ClosedLoad) load;
        Quota quota = closed.quota();
        String limit = (quota.calls() == 0 ? "" : ", " + Numbers.count(quota.calls(), "call"))
                + (quota.bytes() == 0 ? "" : ", " + Numbers.count(quota.bytes(), "byte"));
        return (closed.lives() instanceof ClientLifetimes.Staggered lives
                                && lives.runForNanos() < ClientLifetimes.UNBOUNDED
                        ? RunText.closed(closed.clients(), lives)
                        : "closed " + Numbers.count(closed.clients(), "client"))
                + limit;
    }
}
