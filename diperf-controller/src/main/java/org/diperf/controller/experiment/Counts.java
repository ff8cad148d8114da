package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.plan.Targets;

/** What must go together with the number of testers, which some testbeds know only when their nodes were looked at. */
public final class Counts {

    private Counts() {}

    /** Says what does not go together: path in the file to what was wanted and found. */
    public static Map<String, String> problems(Targets targets, LoadChoice load, int testers) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (load.clients() < testers) {
            boolean closed = load.model().equals("closed");
            problems.put(
                    "testbed.testers",
                    "wanted at most as many testers as " + (closed ? "clients (" : "calls in flight (") + load.clients()
                            + "), found " + testers + "; a tester without clients measures nothing: use fewer testers"
                            + " or raise the " + (closed ? "clients" : "max-in-flight") + " of 'load'");
        }
        if (targets.assign() != Targets.Assign.ONE_TO_ONE) {
            return problems;
        }
        boolean perTester = targets.per() == Targets.Per.TESTER;
        int units = perTester ? testers : load.clients();
        int size = targets.each().size();
        if (units != size) {
            String unit = perTester ? "testers" : "clients";
            problems.put(
                    "target.assign",
                    "one-to-one wanted as many targets as " + unit + ", found " + size + " targets and " + units + " "
                            + unit + "; make them equal or use round-robin");
        }
        return problems;
    }
}
