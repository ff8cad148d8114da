package org.diperf.controller.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.course.GroupSchedule;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.fleet.Member;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TesterPlacement;
import org.diperf.core.plan.ClientNumbering;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.ShareRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;

/**
 * How a run's load is divided among its testers: one plan that all share, or one for each group. Immutable.
 *
 * @param shares one for each group in the order of the file, or one
 */
record PlanShares(List<Share> shares) {

    /**
     * A plan and who shares it.
     *
     * @param group {@code null}: the run has no groups
     * @param members in the order of their slots
     */
    record Share(@Nullable Group group, Plan plan, List<Member> members) {

        Share {
            members = List.copyOf(members);
        }

        /** Says what {@code run.json} has of it. */
        ShareRecord record() {
            ClientNumbering numbering = plan.numbering();
            return new ShareRecord(
                    group == null ? null : group.name(),
                    group == null ? "" : group.where(),
                    numbering.placement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    numbering.firstClient(),
                    numbering.clients(),
                    group == null ? 0 : group.startAfter().toNanos(),
                    numbering.firstSlot() + 1,
                    plan.testers());
        }
    }

    /** A tester's place: slot from 1 in a plan. */
    record PlanSlot(Plan plan, int slot) {}

    PlanShares {
        shares = List.copyOf(shares);
    }

    /**
     * Divides the load among testers, each of which is in the group that it was placed for.
     *
     * @param members in the order in which they are to be taken
     * @param groupOf finds the group of a tester's number
     * @throws RunFailedException when a group would have no tester
     */
    static PlanShares of(
            Experiment experiment, LoadSchedule course, List<Member> members, IntFunction<@Nullable Group> groupOf)
            throws RunFailedException {
        if (!(experiment.load() instanceof LoadSettings.Groups groups)) {
            ClientNumbering numbering = new ClientNumbering(
                    experiment.spread().placement(), experiment.load().clients(), 0, 0);
            return new PlanShares(List.of(new Share(
                    null,
                    plan(experiment, course, course.first(), numbering, members.size()),
                    inOrder(members, experiment.spread()))));
        }
        List<Share> shares = new ArrayList<>();
        int firstClient = 0;
        int firstSlot = 0;
        int firstStage = 0;
        for (Group group : groups.groups()) {
            List<Member> testers = inOrder(
                    members.stream()
                            .filter(member -> group.equals(groupOf.apply(member.tester())))
                            .toList(),
                    group.spread());
            if (testers.isEmpty()) {
                throw new RunFailedException(
                        "No tester of group '" + group.name() + "' has joined. See the testers' logs for the reason");
            }
            ClientNumbering numbering =
                    new ClientNumbering(group.spread().placement(), group.load().clients(), firstClient, firstSlot);
            List<Stage> stages = GroupSchedule.stages(group, firstStage);
            shares.add(new Share(group, plan(experiment, course, stages, numbering, testers.size()), testers));
            firstClient += group.load().clients();
            firstSlot += testers.size();
            firstStage += stages.size();
        }
        return new PlanShares(shares);
    }

    private static Plan plan(
            Experiment experiment, LoadSchedule course, List<Stage> stages, ClientNumbering numbering, int testers) {
        return new Plan(experiment.seed(), testers, experiment.targets(), stages, course.grows(), numbering);
    }

    private static List<Member> inOrder(List<Member> members, TesterPlacement spread) {
        return members.stream()
                .sorted(Comparator.comparingInt(member -> spread.rank(member.labels())))
                .toList();
    }

    /** Lists the testers by their slots, which are those of the whole run. */
    List<Member> members() {
        List<Member> all = new ArrayList<>();
        for (Share share : shares) {
            share.members().forEach(member -> all.add(new Member(member.tester(), all.size() + 1, member.node())));
        }
        return all;
    }

    /**
     * Finds the place of a slot.
     *
     * @param slot from 1, of the whole run
     */
    PlanSlot seat(int slot) {
        for (Share share : shares) {
            int own = slot - share.plan().numbering().firstSlot();
            if (own >= 1 && own <= share.plan().testers()) {
                return new PlanSlot(share.plan(), own);
            }
        }
        throw new IllegalArgumentException("Expected a slot from 1 to " + testers() + ", got " + slot);
    }

    /** Lists the machines of testers, in the order of their slots; testers whose machine nobody names share one. */
    static List<String> hosts(List<Member> members) {
        return members.stream().map(PlanShares::host).distinct().toList();
    }

    private static String host(Member member) {
        Node node = member.node();
        return node == null ? "" : node.name();
    }

    /**
     * Returns the place of a slot's machine among those of the run, from 0.
     *
     * @param slot from 1, of the whole run
     */
    int hostOf(int slot) {
        List<Member> members = members();
        return hosts(members).indexOf(host(members.get(slot - 1)));
    }

    /** Makes the series of the run while it is under way: it knows kinds of request and groups. */
    RunSeries series(long startNanos, Experiment experiment) {
        RunSeries series = new RunSeries(startNanos, experiment.script().requestNames());
        for (Share share : shares) {
            Group group = share.group();
            if (group != null) {
                series.group(group.name(), share.plan().numbering().firstClient());
            }
        }
        return series;
    }

    /** Says which groups have fewer testers than they wanted. */
    List<Warning> warnings() {
        List<Warning> warnings = new ArrayList<>();
        for (Share share : shares) {
            Group group = share.group();
            if (group != null && share.plan().testers() < group.testers()) {
                warnings.add(Warning.note(
                        Subject.TESTER,
                        "group '" + group.name() + "' had " + share.plan().testers() + " of the " + group.testers()
                                + " testers it required; they shared its load"));
            }
        }
        return warnings;
    }

    /** Counts the stages of all plans. */
    int stages() {
        return shares.stream().mapToInt(share -> share.plan().stages().size()).sum();
    }

    /** Counts the testers of all plans. */
    int testers() {
        return shares.stream().mapToInt(share -> share.plan().testers()).sum();
    }

    /** Returns the time after the start of the run from which no more calls begin. */
    long lengthNanos() {
        return shares.stream()
                .mapToLong(share -> share.plan().lengthNanos())
                .max()
                .orElse(0);
    }

    /** Returns whether a quota may end the run before its length. */
    boolean isLimited() {
        return shares.stream()
                .flatMap(share -> share.plan().stages().stream())
                .anyMatch(stage -> stage.load().isLimited());
    }

    /** Makes the division whose one plan, which grows, has a further stage. */
    PlanShares with(Stage next) {
        return new PlanShares(shares.stream()
                .map(share -> new Share(share.group(), share.plan().with(next), share.members()))
                .toList());
    }

    /** Says what {@code run.json} has of it; {@code null}: client i is on slot i mod T. */
    @Nullable
    List<ShareRecord> records() {
        boolean usual = shares.size() == 1
                && shares.get(0).group() == null
                && shares.get(0).plan().numbering().placement() == ClientNumbering.Placement.ROUND_ROBIN;
        return usual ? null : shares.stream().map(Share::record).toList();
    }
}
