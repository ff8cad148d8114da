package org.diperf.controller.experiment;

import static org.diperf.controller.experiment.ExperimentBuilder.get;
import static org.diperf.controller.experiment.ExperimentBuilder.map;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TesterPlacement;
import org.jspecify.annotations.Nullable;

/** Makes what is offered, and by whom, from {@code load} or {@code groups}. Confined to one thread, used once. */
final class GroupsBuilder {

    private static final long MAX_CLIENTS = 1 << 24;

    private final Map<String, Object> values;
    private final BiConsumer<String, String> problems;
    private TesterPlacement spread = TesterPlacement.DEFAULT;

    /**
     * @param values of the experiment; the derived defaults are added
     * @param problems takes a path and what is wrong there
     */
    GroupsBuilder(Map<String, Object> values, BiConsumer<String, String> problems) {
        this.values = values;
        this.problems = problems;
    }

    /** Returns whether the experiment has groups. */
    boolean hasGroups() {
        return values.containsKey("groups");
    }

    /** Counts the testers that the groups want. */
    long testers() {
        return map(values.get("groups")).values().stream()
                .mapToLong(group -> get(map(group), "testers", Long.class))
                .sum();
    }

    /**
     * Makes what is offered.
     *
     * @param testers of the testbed
     * @return {@code null} where there are problems
     */
    @Nullable
    LoadSettings build(int testers) {
        if (!hasGroups()) {
            LoadForms.Offered offered = LoadForms.offered(values.get("load"), testers);
            spread = offered == null ? TesterPlacement.DEFAULT : offered.spread();
            return offered == null ? null : offered.choice();
        }
        if (values.containsKey("load")) {
            problems.accept(
                    "groups",
                    "expected either 'load' or 'groups', got both; put the load into a group, or leave the groups out");
            return null;
        }
        Map<String, Object> written = map(values.get("groups"));
        values.put("groups", written);
        List<Group> groups = new ArrayList<>();
        for (Map.Entry<String, Object> entry : written.entrySet()) {
            Map<String, Object> group = map(entry.getValue());
            entry.setValue(group);
            Group made = group(entry.getKey(), group);
            if (made != null) {
                groups.add(made);
            }
        }
        if (groups.size() < written.size()) {
            return null;
        }
        LoadSettings.Groups choice = new LoadSettings.Groups(groups);
        long clients =
                groups.stream().mapToLong(group -> group.load().clients()).sum();
        if (clients > MAX_CLIENTS) {
            problems.accept("groups", "expected at most " + MAX_CLIENTS + " clients in all, got " + clients);
            return null;
        }
        return choice;
    }

    private @Nullable Group group(String name, Map<String, Object> group) {
        String path = "groups." + name;
        int testers = (int) (long) get(group, "testers", Long.class);
        LoadForms.Offered offered = LoadForms.offered(group.get("load"), testers);
        if (offered == null) {
            return null;
        }
        LoadSettings choice = offered.choice();
        if (choice.clients() < testers) {
            boolean closed = choice.model().equals("closed");
            problems.accept(
                    path + ".testers",
                    "expected at most as many testers as " + (closed ? "clients (" : "calls in flight (")
                            + choice.clients() + "), got " + testers
                            + "; a tester without clients measures nothing: use fewer testers or raise the "
                            + (closed ? "clients" : "max-in-flight") + " of its load");
            return null;
        }
        return new Group(
                name,
                group.containsKey("where") ? String.valueOf(group.get("where")) : "",
                testers,
                get(group, "start-after", Duration.class),
                choice,
                offered.spread());
    }

    /** Returns how the clients of the sole load are spread, once it has been made; of groups each has its own. */
    TesterPlacement spread() {
        return spread;
    }

    /** Returns the keys of the groups' shape. */
    static Shape<?> shape() {
        Map<String, String> hints = new LinkedHashMap<>();
        for (String name : List.of("clients", "run-for", "open", "stages")) {
            hints.put(name, "it belongs to the load of the group: load: { " + name + ": ... }");
        }
        return new Shapes.Named(
                "groups such as lan: {where: site == lan, testers: 2, load: {clients: 10, run-for: 60s}}",
                ExperimentShape.NAME,
                Fields.of(
                                "a group",
                                Key.optional(
                                        "where",
                                        Quantities.where(),
                                        "which testers to use, by the labels of their nodes; default: any"),
                                Key.withDefault(
                                        "testers",
                                        Scalar.whole("testers", 1, 10_000),
                                        1L,
                                        "number of testers that share its load"),
                                Key.withDefault(
                                        "start-after",
                                        Quantities.duration(false),
                                        Duration.ZERO,
                                        "when its load starts, after the start of the run"),
                                Key.required("load", LoadForms.ofGroup(), "the load that its testers offer together"))
                        .hinting(hints));
    }
}
