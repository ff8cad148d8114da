package org.diperf.analyzer.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.Prediction;
import org.diperf.analyzer.profile.Profile.Knee;
import org.diperf.analyzer.profile.Profile.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes carry a load, and how many: the answer of a profile.
 *
 * <p>A node counts as the part of the profile's machine that its scarcest resource allows: 1 where all of them carry what the service
 * was seen to do there, and never more, because nothing is known beyond that. Load is divided in these proportions. Then each node is
 * as busy as the profile's machine would be at the load over the sum of parts, and the profile's model says what happens there.
 *
 * @param load clients, or calls a second
 * @param nodes those that are used, the largest part first
 * @param most how many nodes there are
 * @param carries whether the nodes carry the load; if not, {@code nodes} are all
 * @param low how many nodes are enough if the profile's intervals are taken at their better ends
 * @param high how many, taken at their worse ends; more than {@code most}: so many are not there
 * @param expected of all of them together
 * @param kneeClients of all of them together; {@link Double#NaN} in open load
 * @param kneeLow lower end of its interval
 * @param kneeHigh upper end of it
 * @param notes what else to know
 */
public record CapacityPlan(
        double load,
        List<Share> nodes,
        int most,
        boolean carries,
        int low,
        int high,
        Prediction expected,
        double kneeClients,
        double kneeLow,
        double kneeHigh,
        List<String> notes) {

    /** Above this share of its processors a service counts as limited by them. */
    private static final double BUSY = 0.9;

    /**
     * What is asked.
     *
     * @param load clients in closed load, else calls a second
     * @param meanResponseSeconds not more than this; infinite: any
     * @param leastPerSecond not less throughput than this; 0: any
     */
    public record Asked(double load, double meanResponseSeconds, double leastPerSecond) {

        boolean hasConditions() {
            return Double.isFinite(meanResponseSeconds) || leastPerSecond > 0;
        }
    }

    /**
     * A node's share.
     *
     * @param part of the profile's machine that the node is, from above 0 to 1
     * @param load that it takes
     * @param firstOut the resource that gives out first
     */
    public record Share(PlanNode node, double part, double load, String firstOut) {}

    /** The profile does not know; says what it lacks and which run would tell. */
    public static final class UnknownException extends Exception {

        private static final long serialVersionUID = 1;

        UnknownException(String message) {
            super(message);
        }
    }

    /** A node as a part of the profile's machine, at both ends of what is known and in the middle. */
    private record Part(PlanNode node, double low, double mid, double high, String firstOut) {}

    /** Which end of intervals is taken. */
    private enum End {
        BETTER,
        MIDDLE,
        WORSE
    }

    /**
     * Plans.
     *
     * @param nodes at least one
     * @throws UnknownException when the profile does not carry the answer
     */
    public static CapacityPlan of(Profile profile, List<PlanNode> nodes, Asked asked) throws UnknownException {
        FittedModel model = profile.model();
        double middle = Math.sqrt(profile.leastLoad() * profile.mostLoad());
        Optional<String> unfit = model.refusal(middle);
        if (unfit.isPresent()) {
            throw new UnknownException("its model is not reliable: " + unfit.get());
        }
        Set<String> notes = new LinkedHashSet<>();
        List<Part> parts = new ArrayList<>();
        for (PlanNode node : nodes) {
            parts.add(part(profile, node, notes));
        }
        parts.sort(Comparator.comparingDouble((Part each) -> each.mid).reversed());
        Plan plan = new Plan(profile, model, asked, parts);
        int low = plan.enough(End.BETTER);
        int mid = plan.enough(End.MIDDLE);
        String unknown = plan.beyond;
        int high = plan.enough(End.WORSE);
        if (unknown != null && mid > parts.size()) {
            throw new UnknownException(unknown);
        }
        boolean carries = mid <= parts.size();
        List<Part> used = parts.subList(0, Math.min(mid, parts.size()));
        double sum = used.stream().mapToDouble(Part::mid).sum();
        double each = asked.load / sum;
        if (each > profile.mostLoad() && model.refusal(each).isPresent() && carries) {
            notes.add("the prediction lies outside the measured levels");
        }
        Prediction one = model.at(Math.max(each, Math.min(1, profile.leastLoad())));
        Prediction all = new Prediction(
                asked.load,
                one.perSecond() * sum,
                one.perSecondLow() * sum,
                one.perSecondHigh() * sum,
                one.responseSeconds(),
                one.responseSecondsLow(),
                one.responseSecondsHigh());
        Knee knee = profile.knee();
        return new CapacityPlan(
                asked.load,
                used.stream()
                        .map(part -> new Share(part.node, part.mid, asked.load * part.mid / sum, part.firstOut))
                        .toList(),
                parts.size(),
                carries,
                low,
                high,
                all,
                knee == null ? Double.NaN : knee.clients() * sum,
                knee == null
                        ? Double.NaN
                        : knee.low() * used.stream().mapToDouble(Part::low).sum(),
                knee == null
                        ? Double.NaN
                        : knee.high() * used.stream().mapToDouble(Part::high).sum(),
                List.copyOf(notes));
    }

    private static Part part(Profile profile, PlanNode node, Set<String> notes) throws UnknownException {
        double own = profile.mostPerSecond();
        double low = 1;
        double mid = 1;
        double high = 1;
        String firstOut = "the service's own limit, " + perSecond(own) + " per machine";
        Resource processors = profile.resource(Profile.PROCESSORS).orElse(null);
        if (processors != null) {
            double base = processors.base() == null ? 0 : processors.base();
            Double available = processors.available();
            if (Double.isNaN(node.cores())) {
                throw new UnknownException("node " + node.host() + ": expected its number of cores in the file, got "
                        + "none; a call costs "
                        + String.format(Locale.ROOT, "%.3g ms", processors.perCall() * 1e3)
                        + " of processor time; specify cores: N");
            }
            double cores = node.cores() * node.speed();
            if (available != null && base + own * processors.perCall() >= BUSY * available) {
                firstOut = Profile.PROCESSORS;
                // Where processors were the limit, what they did is known better than by what a call costs.
                double scale = cores / available;
                low = mid = high = Math.min(1, scale);
                if (scale > 1.01) {
                    notes.add(
                            "nodes with more or faster processors than the profile's " + plain(available)
                                    + " are assumed to have only that many; to measure their capacity, run levels on one of them");
                }
            } else {
                double most = Math.max(0, cores - base) / processors.perCall() / own;
                double least = processors.high() == null ? most : Math.max(0, cores - base) / processors.high() / own;
                low = Math.min(1, least);
                if (most < 1) {
                    firstOut = Profile.PROCESSORS;
                    mid = most;
                    high = processors.low() == null || processors.low() <= 0
                            ? 1
                            : Math.min(1, Math.max(0, cores - base) / processors.low() / own);
                }
            }
        } else {
            notes.add("the service's CPU time per call was not monitored, so nodes are assumed to be machines like "
                    + "the profile's; a run with monitors (kind: host) would measure it");
        }
        Resource network = profile.resource(Profile.NETWORK).orElse(null);
        if (network != null && !Double.isNaN(node.bitsPerSecond())) {
            double most = node.bitsPerSecond() / 8 / network.perCall() / own;
            if (most < mid) {
                firstOut = Profile.NETWORK;
                low = Math.min(low, most);
                mid = most;
                high = most;
            }
        }
        if (!(mid > 0)) {
            throw new UnknownException("node " + node.host() + " cannot handle any load: its " + firstOut
                    + " are fully used even without calls; remove it");
        }
        return new Part(node, Math.max(low, 1e-9), mid, high, firstOut);
    }

    private static String perSecond(double value) {
        return plain(value) + "/s";
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.4g", value);
    }

    /** Tries ever more nodes. */
    private static final class Plan {

        private final Profile profile;
        private final FittedModel model;
        private final Asked asked;
        private final List<Part> parts;
        /** Why nothing can be said of the number of nodes that was tried last. */
        private @Nullable String beyond;

        Plan(Profile profile, FittedModel model, Asked asked, List<Part> parts) {
            this.profile = profile;
            this.model = model;
            this.asked = asked;
            this.parts = parts;
        }

        /** Returns how many nodes are enough; one more than there are: all of them are not. */
        int enough(End end) throws UnknownException {
            double sum = 0;
            for (int n = 1; n <= parts.size(); n++) {
                Part part = parts.get(n - 1);
                sum += end == End.BETTER ? part.high : end == End.MIDDLE ? part.mid : part.low;
                beyond = null;
                if (carries(asked.load / sum, sum, end)) {
                    return n;
                }
            }
            return parts.size() + 1;
        }

        /** Returns whether the profile's machine carries a load, of which the nodes together take so many times as much. */
        private boolean carries(double load, double times, End end) throws UnknownException {
            if (!asked.hasConditions()) {
                return load <= limit(end);
            }
            double inside = Math.max(load, profile.leastLoad());
            double most = profile.mostPerSecond();
            double leastResponse = profile.closed() ? load / most - profile.thinkSeconds() : 0;
            if (asked.leastPerSecond > most * times * 1.05 || leastResponse > asked.meanResponseSeconds * 1.05) {
                return false;
            }
            Optional<String> refusal = load > profile.mostLoad() ? model.refusal(load) : Optional.empty();
            if (refusal.isPresent()) {
                beyond = "a node would get " + amount(load) + ", and " + refusal.get()
                        + ". To find out, run levels up to " + amount(load) + " on one machine";
                return false;
            }
            Prediction said = model.at(inside);
            double response = end == End.BETTER
                    ? said.responseSecondsLow()
                    : end == End.MIDDLE ? said.responseSeconds() : said.responseSecondsHigh();
            double perSecond = times
                    * (end == End.BETTER
                            ? said.perSecondHigh()
                            : end == End.MIDDLE ? said.perSecond() : said.perSecondLow());
            return response <= asked.meanResponseSeconds && perSecond >= asked.leastPerSecond;
        }

        /** Returns the load that the profile's machine carries where nothing else is asked: up to its knee. */
        private double limit(End end) throws UnknownException {
            if (!profile.closed()) {
                double most = model.model().knee();
                if (profile.mostLoad() < 0.5 * most) {
                    throw new UnknownException("no level approaches the service's limit: the highest is "
                            + amount(profile.mostLoad()) + ", and the model's estimate of the limit is " + amount(most)
                            + ". To find out, run levels up to " + amount(most));
                }
                return end == End.WORSE ? Math.min(most, profile.mostPerSecond()) : most;
            }
            Knee knee = profile.knee();
            if (knee == null) {
                throw new UnknownException(
                        "no level lies beyond the service's knee, so its limit is not known. To find out, run levels up "
                                + "to " + amount(2 * profile.mostLoad()) + " or more");
            }
            return end == End.BETTER ? knee.high() : end == End.MIDDLE ? knee.clients() : knee.low();
        }

        private String amount(double load) {
            return profile.closed()
                    ? plain(Math.ceil(load)) + " clients"
                    : String.format(Locale.ROOT, "%.4g calls/s", load);
        }
    }
}
