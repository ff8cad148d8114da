package org.diperf.controller.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.Spread;
import org.diperf.core.expression.Expression;
import org.diperf.core.plan.Numbering;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.RunRecord.ShareRecord;
import org.jspecify.annotations.Nullable;

/**
 * How a run's load is divided among its testers: one plan that all share, or one for each group. Immutable.
 *
 * @param shares one for each group in the order of the file, or one
 */
record Division(List<Share> shares) {

    /**
     * A plan and who shares it.
     *
     * @param group {@code null}: the run has no groups
     * @param testers their numbers in the order of their slots
     */
    record Share(@Nullable Group group, Plan plan, List<Integer> testers) {

        Share {
            testers = List.copyOf(testers);
        }

        /** Says what {@code run.json} has of it. */
        ShareRecord record() {
            Numbering numbering = plan.numbering();
            return new ShareRecord(
                    group == null ? null : group.name(),
                    group == null ? "" : group.where(),
                    numbering.placement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    numbering.firstClient(),
                    numbering.clients(),
                    group == null ? 0 : group.startAfter().toNanos(),
                    testers);
        }
    }

    /** A tester's place: slot from 1 in a plan. */
    record Seat(Plan plan, int slot) {}

    Division {
        shares = List.copyOf(shares);
    }

    /**
     * Divides the load among testers. A group takes the first so many that fit its {@code where} and that no group before
     * it took; groups that want any come after those that do not.
     *
     * @param recruits in the order in which they are to be taken
     * @throws RunFailedException when a group would have none of the testers it wants, or fewer
     */
    static Division of(Experiment experiment, Course course, List<Recruit> recruits) throws RunFailedException {
        if (!(experiment.load() instanceof LoadChoice.Groups groups)) {
            Numbering numbering = new Numbering(
                    experiment.spread().placement(), experiment.load().clients(), 0, 0);
            return new Division(List.of(new Share(
                    null,
                    plan(experiment, course, course.first(), numbering, recruits.size()),
                    inOrder(recruits, experiment.spread()))));
        }
        List<List<Recruit>> taken = take(groups, recruits);
        List<Share> shares = new ArrayList<>();
        int firstClient = 0;
        int firstSlot = 0;
        int firstStage = 0;
        for (int i = 0; i < groups.groups().size(); i++) {
            Group group = groups.groups().get(i);
            List<Integer> testers = inOrder(taken.get(i), group.spread());
            Numbering numbering =
                    new Numbering(group.spread().placement(), group.load().clients(), firstClient, firstSlot);
            List<Stage> stages = GroupsCourse.stages(group, firstStage);
            shares.add(new Share(group, plan(experiment, course, stages, numbering, testers.size()), testers));
            firstClient += group.load().clients();
            firstSlot += testers.size();
            firstStage += stages.size();
        }
        return new Division(shares);
    }

    private static Plan plan(
            Experiment experiment, Course course, List<Stage> stages, Numbering numbering, int testers) {
        return new Plan(experiment.seed(), testers, experiment.targets(), stages, course.grows(), numbering);
    }

    private static List<List<Recruit>> take(LoadChoice.Groups groups, List<Recruit> recruits)
            throws RunFailedException {
        List<Recruit> free = new ArrayList<>(recruits);
        List<List<Recruit>> taken = new ArrayList<>();
        groups.groups().forEach(group -> taken.add(new ArrayList<>()));
        for (boolean choosy : new boolean[] {true, false}) {
            for (int i = 0; i < taken.size(); i++) {
                Group group = groups.groups().get(i);
                if (group.where().isEmpty() == choosy) {
                    continue;
                }
                List<Recruit> fit = free.stream()
                        .filter(recruit -> fits(group, recruit.labels()))
                        .limit(group.testers())
                        .toList();
                if (fit.size() < group.testers()) {
                    throw new RunFailedException(tooFew(group, fit.size(), recruits));
                }
                taken.get(i).addAll(fit);
                free.removeAll(fit);
            }
        }
        return taken;
    }

    /** Says whether a group may take a tester with these labels. */
    static boolean fits(Group group, Map<String, String> labels) {
        return group.where().isEmpty()
                || Expression.parse(group.where())
                        .evaluate(path -> number(labels.get(path)))
                        .holds();
    }

    /** Gives a label as a number where it is one, so that it can be compared with one. */
    private static @Nullable Object number(@Nullable String label) {
        return label != null && label.matches("-?[0-9]{1,15}(\\.[0-9]+)?") ? (Object) Double.valueOf(label) : label;
    }

    private static String tooFew(Group group, int found, List<Recruit> recruits) {
        TreeSet<String> labels = new TreeSet<>();
        recruits.forEach(recruit -> recruit.labels().forEach((name, value) -> labels.add(name + "=" + value)));
        String wanted = "Group '" + group.name() + "' wanted " + group.testers() + " testers"
                + (group.where().isEmpty() ? "" : " where " + group.where()) + ", found " + found;
        return wanted
                + (labels.isEmpty()
                        ? " on nodes without labels: leave out 'where', or give the testbed's nodes labels"
                        : "; the nodes have " + labels + ": label more nodes, or ask for fewer testers");
    }

    private static List<Integer> inOrder(List<Recruit> recruits, Spread spread) {
        return recruits.stream()
                .sorted(Comparator.comparingInt(recruit -> spread.rank(recruit.labels())))
                .map(Recruit::tester)
                .toList();
    }

    /** Finds the place of a tester. */
    Seat seat(int tester) {
        for (Share share : shares) {
            int index = share.testers().indexOf(tester);
            if (index >= 0) {
                return new Seat(share.plan(), index + 1);
            }
        }
        throw new IllegalArgumentException("Wanted a tester that shares the load, found tester " + tester);
    }

    /** Counts the testers of all plans. */
    int testers() {
        return shares.stream().mapToInt(share -> share.plan().testers()).sum();
    }

    /** Gives the time after the start of the run from which no more calls begin. */
    long lengthNanos() {
        return shares.stream()
                .mapToLong(share -> share.plan().lengthNanos())
                .max()
                .orElse(0);
    }

    /** Says whether a quota may end the run before its length. */
    boolean isLimited() {
        return shares.stream()
                .flatMap(share -> share.plan().stages().stream())
                .anyMatch(stage -> stage.load().isLimited());
    }

    /** Makes the division whose one plan, which grows, has a further stage. */
    Division with(Stage next) {
        return new Division(shares.stream()
                .map(share -> new Share(share.group(), share.plan().with(next), share.testers()))
                .toList());
    }

    /** Says what {@code run.json} has of it; {@code null}: client i is on tester i mod T. */
    @Nullable
    List<ShareRecord> records() {
        boolean usual = shares.size() == 1
                && shares.get(0).group() == null
                && shares.get(0).plan().numbering().placement() == Numbering.Placement.ROUND_ROBIN
                && isRising(shares.get(0).testers());
        return usual ? null : shares.stream().map(Share::record).toList();
    }

    private static boolean isRising(List<Integer> numbers) {
        return numbers.stream().sorted().toList().equals(numbers);
    }
}
