package org.diperf.plugins.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The program of a tester on a node: its name, and the script that becomes it. */
final class TesterCommand {

    private static final String PREFIX = "tester-";

    private TesterCommand() {}

    static String name(int tester) {
        return PREFIX + tester;
    }

    /** Returns the tester's number; 0: the program is no tester. */
    static int number(String name) {
        return name.matches(PREFIX + "[0-9]{1,9}") ? Integer.parseInt(name.substring(PREFIX.length())) : 0;
    }

    /**
     * Writes the script. It makes the tester's own folder, with copies of the deployed files, and runs Java in it.
     *
     * @param java command
     * @param jvm its flags
     * @param plugins paths of plugin jars below the run's folder
     */
    static String script(int tester, Deployment.Site site, String java, List<String> jvm, List<String> plugins) {
        String folder = site.run() + "/" + name(tester);
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(jvm);
        // The name by which testers are found in a list of processes.
        command.add("-Ddiperf.role=diperf-tester");
        command.addAll(List.of("-cp", site.run() + "/" + Deployment.TESTER, "org.diperf.tester.TesterMain"));
        command.addAll(List.of("--folder", folder + "/.diperf"));
        // Outside the run's folder, which goes when the tester has ended.
        command.addAll(List.of("--spool", site.spools()));
        for (String jar : plugins) {
            command.addAll(List.of("--plugin", site.run() + "/" + jar));
        }
        String words = command.stream().map(Script::quote).collect(Collectors.joining(" "));
        return "mkdir " + Script.quote(folder) + " && cp -RLp " + Script.quote(site.run() + "/files/.") + " "
                + Script.quote(folder) + " && cd " + Script.quote(folder) + " && mkdir .diperf || exit 1\nexec " + words
                + "\n";
    }
}
