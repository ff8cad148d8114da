package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TesterPlacement;
import org.diperf.core.expression.Expression;
import org.jspecify.annotations.Nullable;

/** The keys {@code load} and {@code groups}: their forms, and what is offered by whom. */
final class LoadKeys {

    private static final long MAX_CLIENTS = 1 << 24;

    static final Key<Form.Filled<Integer, LoadForms.Offered>> LOAD = Key.optional(
            "load", LoadForms.load(), "the load to offer; all numbers are for the whole run, never per tester");

    private static final Key<Expression> WHERE = Key.optional(
            "where", Quantities.where(), "which testers to use, by the labels of their nodes; default: any");
    private static final Key<Long> TESTERS =
            Key.withDefault("testers", Scalar.whole("testers", 1, 10_000), 1L, "number of testers that share its load");
    private static final Key<Duration> START_AFTER = Key.withDefault(
            "start-after",
            Quantities.duration(false),
            Duration.ZERO,
            "time from the start of the run until its load starts");
    private static final Key<Form.Filled<Integer, LoadForms.Offered>> LOAD_OF_GROUP =
            Key.required("load", LoadForms.ofGroup(), "the load that its testers generate together");

    static final Key<Map<String, FormValues>> GROUPS = Key.optional(
            "groups",
            new Shapes.Named<>(
                    "groups such as lan: {where: site == lan, testers: 2, load: {clients: 10, run-for: 60s}}",
                    ExperimentShape.NAME_PATTERN,
                    Fields.of("a group", WHERE, TESTERS, START_AFTER, LOAD_OF_GROUP)
                            .hinting(hints())),
            "instead of load: groups of testers that run in parallel, each with its own load");

    private LoadKeys() {}

    private static Map<String, String> hints() {
        Map<String, String> hints = new LinkedHashMap<>();
        for (String name : List.of("clients", "run-for", "open", "stages")) {
            hints.put(name, "it belongs to the load of the group: load: { " + name + ": ... }");
        }
        return hints;
    }

    /** Counts the testers that the groups have together; 0: there are no groups. */
    static long testersOfGroups(FormValues experiment) {
        Map<String, FormValues> groups = experiment.find(GROUPS);
        return groups == null
                ? 0
                : groups.values().stream()
                        .mapToLong(group -> group.get(TESTERS))
                        .sum();
    }

    /**
     * Makes what is offered, and how the clients of a sole load are spread; of groups each has its own.
     *
     * @param testers of the testbed
     * @return {@code null} where there are problems
     */
    static LoadForms.@Nullable Offered offered(FormValues experiment, int testers) {
        Map<String, FormValues> given = experiment.find(GROUPS);
        if (given == null) {
            return experiment.get(LOAD).make(testers);
        }
        if (experiment.has(LOAD)) {
            experiment.problem(
                    GROUPS,
                    "expected either 'load' or 'groups', got both; put the load into a group, or drop the groups");
            return null;
        }
        List<Group> groups = new ArrayList<>();
        given.forEach((name, values) -> {
            Group group = group(name, values);
            if (group != null) {
                groups.add(group);
            }
        });
        if (groups.size() < given.size()) {
            return null;
        }
        long clients =
                groups.stream().mapToLong(group -> group.load().clients()).sum();
        if (clients > MAX_CLIENTS) {
            experiment.problem(GROUPS, "expected at most " + MAX_CLIENTS + " clients in total, got " + clients);
            return null;
        }
        return new LoadForms.Offered(new LoadSettings.Groups(groups), TesterPlacement.DEFAULT);
    }

    private static @Nullable Group group(String name, FormValues given) {
        int testers = (int) (long) given.get(TESTERS);
        LoadForms.Offered offered = given.get(LOAD_OF_GROUP).make(testers);
        if (offered == null) {
            return null;
        }
        LoadSettings load = offered.choice();
        if (load.clients() < testers) {
            boolean closed = load.model().equals("closed");
            given.problem(
                    TESTERS,
                    "expected at most as many testers as " + (closed ? "clients (" : "calls in flight (")
                            + load.clients() + "), got " + testers
                            + "; a tester without clients measures nothing: use fewer testers or raise the "
                            + (closed ? "clients" : "max-in-flight") + " of its load");
            return null;
        }
        Expression where = given.find(WHERE);
        return new Group(
                name, where == null ? "" : where.toString(), testers, given.get(START_AFTER), load, offered.spread());
    }
}
