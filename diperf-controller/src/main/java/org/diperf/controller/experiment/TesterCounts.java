package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.Targets;

/** What must go together with the number of testers, which some testbeds know only when their nodes were looked at. */
public final class TesterCounts {

    private TesterCounts() {}

    /** The machines are not known yet. */
    public static final int UNKNOWN = -1;

    /**
     * Says what does not go together: path in the file to what was expected and found.
     *
     * @param hosts machines that the testers are on, or {@link #UNKNOWN}
     */
    public static Map<String, String> problems(Targets targets, LoadSettings load, int testers, int hosts) {
        Map<String, String> problems = new LinkedHashMap<>();
        // Groups have been looked at one by one.
        if (!(load instanceof LoadSettings.Groups) && load.clients() < testers) {
            boolean closed = load.model().equals("closed");
            problems.put(
                    "testbed.testers",
                    "expected at most as many testers as " + (closed ? "clients (" : "calls in flight (")
                            + load.clients()
                            + "), got " + testers + "; a tester without clients measures nothing: use fewer testers"
                            + " or raise the " + (closed ? "clients" : "max-in-flight") + " of 'load'");
        }
        if (targets.assign() != Targets.Assign.ONE_TO_ONE) {
            return problems;
        }
        int units = switch (targets.per()) {
            case CLIENT -> load.clients();
            case TESTER -> testers;
            case HOST -> hosts;
        };
        int size = targets.each().size();
        if (units != UNKNOWN && units != size) {
            String unit = targets.per().name().toLowerCase(Locale.ROOT);
            problems.put(
                    "target.assign",
                    "expected as many targets as " + unit + "s for one-to-one, got " + Numbers.count(size, "target")
                            + " and " + Numbers.count(units, unit) + "; make them equal or use round-robin");
        }
        return problems;
    }
}
