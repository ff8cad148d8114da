package org.diperf.analyzer.text;

import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.core.spi.ClientTrait;

/** Says what to do after a run that went well, but did not ask how much the service can take. */
public final class NextStep {

    /** Less than all that was offered by so much is an answer to that question. */
    private static final double MET = 0.99;
    /** How far above what was offered a search looks. */
    private static final int FURTHER = 100;

    private NextStep() {}

    /** Returns the sentence; empty where there is nothing to say. */
    public static String of(Analysis analysis) {
        Summary summary = analysis.summary();
        PartCounts part = summary.measured() == null ? summary : summary.measured();
        Verdict verdict = Verdict.of(analysis);
        SaturationSummary ramp = summary.saturation();
        if (!verdict.good()
                || verdict.trust() != Verdict.Trust.VALID
                || part.calls().failed() > 0
                || ramp != null && ramp.reached()
                || analysis.run().cameByImport()
                || analysis.run().stages().size() != 1
                || !analysis.run().groups().isEmpty()
                || analysis.run().has(ClientTrait.MEASURES)
                || analysis.run().has(ClientTrait.MOVES_DATA)) {
            return "";
        }
        Double rate = summary.load().rate();
        Integer clients = summary.load().clients();
        if (RunText.isOpen(analysis) && rate != null && part.throughput() != null) {
            return part.throughput().mean() < MET * rate
                    ? ""
                    : "it answered all that was offered; to find its limit: load: " + search("rate", rate, "/s");
        }
        return clients == null ? "" : "to find how many clients it can take: load: " + search("clients", clients, "");
    }

    private static String search(String what, double from, String unit) {
        long low = Math.max(1, (long) from);
        return "{ search: { " + what + ": " + low + unit + ".." + low * FURTHER + unit
                + ", while: [response.p99 < 100ms, failed < 1%] } }";
    }
}
