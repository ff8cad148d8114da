package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.model.Prediction;
import org.diperf.analyzer.profile.CapacityPlan;
import org.diperf.analyzer.profile.CapacityPlan.Asked;
import org.diperf.analyzer.profile.CapacityPlan.Share;
import org.diperf.analyzer.profile.PlanNode;
import org.diperf.analyzer.profile.Profile;
import org.diperf.analyzer.profile.ProfileFile;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.expression.Expression;
import org.diperf.core.spi.Quantity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a profile which nodes carry a load. */
@Command(
        name = "capacity",
        description = {
            "Estimates which machines, and how many, can handle a load, from the profile of a run with levels "
                    + "(profile.json), with a confidence interval and the resource that runs out first. Does not "
                    + "extrapolate beyond the profile, but suggests a run that would extend it.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf capacity runs/latest --nodes machines.yml --load 300",
            "  diperf capacity profile.json --nodes machines.yml --load 900/s --within \"response.mean < 100ms\"",
            "",
            "Exit codes: 0 the nodes can handle it; 2 bad usage; 3 the profile is insufficient; 99 too few nodes.",
        })
final class CapacityCommand extends ResultCommand {

    private static final Pattern CLIENTS = Pattern.compile("([0-9]{1,9})(?: *clients?)?");

    @Parameters(paramLabel = "PROFILE", description = "A profile.json, or the folder of a run that has one.")
    Path profile = Path.of("");

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            required = true,
            description =
                    "The machines: a list of {host, cores, speed, bandwidth, count}, or the output of nodes --json.")
    Path nodes = Path.of("");

    @Option(
            names = "--load",
            paramLabel = "LOAD",
            required = true,
            description = "Number of clients, e.g. 300, if the profile's levels are numbers of clients; otherwise a "
                    + "rate, e.g. 900/s.")
    String load = "";

    @Option(
            names = "--within",
            paramLabel = "CONDITION",
            description = "Condition that must hold, e.g. response.mean < 100ms or throughput > 300/s; repeatable. "
                    + "Default: the load does not exceed the knee.")
    List<String> within = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = stdout();
        Profile known;
        try {
            known = ProfileFile.read(profile);
        } catch (IOException e) {
            throw new UsageException("capacity: " + e.getMessage());
        }
        Asked asked = asked(known);
        List<PlanNode> machines = PlanNodesFile.read(nodes);
        CapacityPlan plan;
        try {
            plan = CapacityPlan.of(known, machines, asked);
        } catch (CapacityPlan.UnknownException e) {
            stderr().println("diperf capacity: the profile is insufficient: " + e.getMessage());
            return ExitCode.NOT_CARRIED_OUT;
        }
        lines(known, plan).forEach(out::println);
        result(values(plan));
        return plan.carries() ? ExitCode.DONE : ExitCode.THRESHOLD;
    }

    /** Returns what a script needs; what is not known is absent. */
    private static Map<String, Object> values(CapacityPlan plan) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("format", "diperf-capacity/1");
        values.put("load", plan.load());
        values.put("carries", plan.carries());
        values.put("nodesThereAre", plan.most());
        values.put("enoughAtBest", plan.low());
        values.put("enoughAtWorst", plan.high());
        List<Object> nodes = new ArrayList<>();
        for (Share share : plan.nodes()) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("host", share.node().host());
            node.put("part", share.part());
            node.put("load", share.load());
            node.put("firstOut", share.firstOut());
            nodes.add(node);
        }
        values.put("nodes", nodes);
        Prediction expected = plan.expected();
        put(values, "perSecond", expected.perSecond(), expected.perSecondLow(), expected.perSecondHigh());
        put(
                values,
                "meanResponseMillis",
                expected.responseSeconds() * 1e3,
                expected.responseSecondsLow() * 1e3,
                expected.responseSecondsHigh() * 1e3);
        put(values, "kneeClients", plan.kneeClients(), plan.kneeLow(), plan.kneeHigh());
        values.put("notes", plan.notes());
        return values;
    }

    private Asked asked(Profile known) throws UsageException {
        double amount;
        if (known.load().equals("closed")) {
            Matcher matcher = CLIENTS.matcher(load.strip());
            if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < 1) {
                throw new UsageException(
                        "--load: expected a number of clients, as in the profile's levels, e.g. 300, got '" + load
                                + "'");
            }
            amount = Integer.parseInt(matcher.group(1));
        } else {
            amount =
                    UsageException.reading("--load: the profile's levels are rates", () -> Quantity.rate(load.strip()));
        }
        double response = Double.POSITIVE_INFINITY;
        double perSecond = 0;
        for (String each : within) {
            Expression condition = UsageException.reading("--within " + each, () -> Expression.parse(each));
            for (Expression.Limit limit : condition.limits()) {
                if (limit.path().matches("response(Time)?\\.mean")
                        && limit.sign().startsWith("<")) {
                    response = Math.min(response, limit.number() / 1e3);
                } else if (limit.path().matches("throughput(\\.mean)?")
                        && limit.sign().startsWith(">")) {
                    perSecond = Math.max(perSecond, limit.number());
                } else {
                    throw new UsageException("--within " + each
                            + ": expected response.mean < ... or throughput > ..., got " + limit.path() + " "
                            + limit.sign());
                }
            }
        }
        return new Asked(amount, response, perSecond);
    }

    private List<String> lines(Profile known, CapacityPlan plan) {
        boolean closed = known.load().equals("closed");
        List<String> lines = new ArrayList<>();
        String what = closed ? Numbers.count((long) plan.load(), "client") : Numbers.plain(plan.load()) + " calls/s";
        String conditions = within.isEmpty() ? "up to the knee" : String.join(" && ", within);
        int used = plan.nodes().size();
        String between = plan.low() == plan.high() ? "" : " (" + plan.low() + " to " + number(plan, plan.high()) + ")";
        lines.add(
                plan.carries()
                        ? used + " of " + Numbers.count(plan.most(), "node") + between + " can handle " + what + ", "
                                + conditions
                        : "Too few: even all " + Numbers.count(plan.most(), "node") + " cannot handle " + what + ", "
                                + conditions
                                + (plan.low() <= plan.most()
                                        ? "; at best, the number of nodes needed is " + plan.low()
                                        : ""));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT, " %-24s %10s %8s   %s", "node", closed ? "clients" : "calls/s", "part", "runs out first"));
        for (Share share : plan.nodes()) {
            lines.add(String.format(
                    Locale.ROOT,
                    " %-24s %10s %8.2f   %s",
                    share.node().host(),
                    Numbers.plain(share.load()),
                    share.part(),
                    share.firstOut()));
        }
        lines.add("");
        lines.add(row(
                "throughput /s",
                plan.expected().perSecond(),
                plan.expected().perSecondLow(),
                plan.expected().perSecondHigh()));
        if (Double.isFinite(plan.expected().responseSeconds())) {
            lines.add(row(
                    "mean response ms",
                    plan.expected().responseSeconds() * 1e3,
                    plan.expected().responseSecondsLow() * 1e3,
                    plan.expected().responseSecondsHigh() * 1e3));
        }
        if (!Double.isNaN(plan.kneeClients())) {
            lines.add(row("knee, clients", plan.kneeClients(), plan.kneeLow(), plan.kneeHigh()));
        }
        plan.notes().forEach(note -> lines.add(" ! " + note));
        return lines;
    }

    private static String number(CapacityPlan plan, int nodes) {
        return nodes > plan.most() ? "more than available" : String.valueOf(nodes);
    }

    private static String row(String what, double expected, double low, double high) {
        return String.format(
                Locale.ROOT,
                " %-24s %10s   95 %% interval %s to %s",
                what,
                Numbers.plain(expected),
                Numbers.plain(low),
                Numbers.plain(high));
    }
}
