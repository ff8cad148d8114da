package org.diperf.analyzer.result;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.core.run.NodeRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;

/**
 * Where a tester was and what became of it, in words.
 *
 * @param node empty where the testbed does not tell
 * @param labels of the node, such as {@code site=lan}; empty without any
 * @param replaces number of the tester whose share it took; 0: none
 * @param lostSeconds after the start of the run; {@code NaN}: it was not lost
 * @param fate {@code no}, or when it was lost, came back and was replaced
 */
public record TesterLocation(String node, String labels, int replaces, double lostSeconds, String fate) {

    private static final TesterLocation UNKNOWN = new TesterLocation("", "", 0, Double.NaN, "no");

    /** Finds it in the record of a run. */
    public static TesterLocation of(RunRecord run, int tester) {
        return run.testers().stream()
                .filter(record -> record.number() == tester)
                .findFirst()
                .map(record -> of(run, record))
                .orElse(UNKNOWN);
    }

    private static TesterLocation of(RunRecord run, TesterRecord record) {
        String node = record.node() == null ? "" : record.node();
        String labels = run.nodes().stream()
                .filter(each -> each.name().equals(node))
                .findFirst()
                .map(NodeRecord::labels)
                .map(TesterLocation::words)
                .orElse("");
        Integer replaces = record.replaces();
        Long lost = record.lostNanos();
        return new TesterLocation(
                node,
                labels,
                replaces == null ? 0 : replaces,
                lost == null ? Double.NaN : lost / 1e9,
                fate(run, record));
    }

    /** Writes labels as {@code site=lan disk=ssd}. */
    public static String words(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String fate(RunRecord run, TesterRecord record) {
        Long lost = record.lostNanos();
        if (lost == null) {
            return record.started() ? "no" : "did not start";
        }
        Long returned = record.returnedNanos();
        String back = returned == null ? "" : String.format(Locale.ROOT, ", back at %.1f s", returned / 1e9);
        String replaced = run.testers().stream()
                .filter(other -> other.started() && other.replaces() != null && other.replaces() == record.number())
                .map(other -> String.format(
                        Locale.ROOT, ", replaced by %d from %.1f s on", other.number(), joined(other) / 1e9))
                .collect(Collectors.joining());
        return String.format(Locale.ROOT, "lost at %.1f s", lost / 1e9) + back + replaced;
    }

    private static long joined(TesterRecord tester) {
        Long joined = tester.joinedNanos();
        return joined == null ? 0 : joined;
    }
}
