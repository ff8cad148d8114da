package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.controller.testbed.InProcessTestbed;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that exist only in the file, each a line such as {@code a cores=4 load=0.5 site:lan} or {@code b down}; their testers
 * are threads. Testers whose numbers are in {@code fail} cannot be started.
 */
public final class PretendTestbed implements TestbedPlugin {

    @Override
    public String id() {
        return "pretend";
    }

    @Override
    public String summary() {
        return "nodes that exist only in the file";
    }

    @Override
    public boolean hasNodes() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("candidates", Parameter.Type.TEXTS, "lines of nodes"),
                Parameter.withDefault("fail", Parameter.Type.STRING, "none", "numbers of testers, with commas"));
    }

    private static Node node(String line) {
        String[] words = line.split(" ");
        Map<String, String> labels = new LinkedHashMap<>();
        Map<String, Double> measures = new LinkedHashMap<>();
        String trouble = "";
        for (int i = 1; i < words.length; i++) {
            if (words[i].equals("down")) {
                trouble = "connection refused; start its sshd";
            } else if (words[i].contains(":")) {
                labels.put(words[i].split(":")[0], words[i].split(":")[1]);
            } else {
                measures.put(words[i].split("=")[0], Double.valueOf(words[i].split("=")[1]));
            }
        }
        return new Node(words[0], labels, measures, Map.of("Java", "17"), trouble);
    }

    @Override
    public Testbed open(TestbedContext context) {
        return new Testbed() {
            private final List<String> failing =
                    List.of(context.with().string("fail").split(","));
            private @Nullable Testbed threads;

            @Override
            public List<Node> survey() {
                return context.with().texts("candidates").stream()
                        .map(line -> node(line.toString()))
                        .toList();
            }

            @Override
            public void start(List<Place> places) throws Exception {
                Testbed started = threads == null ? new InProcessTestbed().open(context) : threads;
                threads = started;
                List<Place> good = new ArrayList<>(places);
                good.removeIf(place -> failing.contains(String.valueOf(place.tester())));
                places.stream()
                        .filter(place -> !good.contains(place))
                        .forEach(place -> context.failed(place.tester(), "no Java on " + place.node()));
                started.start(good);
            }

            @Override
            public void close() throws Exception {
                if (threads != null) {
                    threads.close();
                }
            }
        };
    }
}
