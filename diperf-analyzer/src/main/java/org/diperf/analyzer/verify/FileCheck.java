package org.diperf.analyzer.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.run.BlockNumbers;
import org.diperf.analyzer.verify.Findings.Fault;
import org.diperf.analyzer.verify.Findings.SampleFile;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleScan;

/**
 * Goes through the sample files of a run, one after another, and gives on each block that can be used once. Memory grows
 * with the gaps in the testers' numbers, not with samples. Confined to one thread.
 */
final class FileCheck {

    private static final int MAX_FAULTS = 100;

    private final BlockCheck check;
    private final Map<Integer, OfTester> testers = new TreeMap<>();

    /** What was found of a tester's blocks. */
    static final class OfTester {
        final BlockNumbers numbers = new BlockNumbers();
        long sent;
        long last;
        long outOfOrder;
    }

    /** Takes the bytes of a block that can be used. */
    interface Usable {
        void block(ByteBuffer bytes) throws IOException;
    }

    FileCheck(BlockCheck check) {
        this.check = check;
    }

    /** Returns what was found of each tester, by number. */
    Map<Integer, OfTester> testers() {
        return testers;
    }

    SampleFile check(Path file, Usable usable) throws IOException {
        long bytes = Files.size(file);
        Scan scan = new Scan(usable);
        SampleScan.file(file, scan);
        return new SampleFile(
                check.folder() + file.getFileName(),
                bytes,
                bytes - scan.unusable,
                scan.blocks,
                scan.calls,
                scan.observations,
                scan.duplicates,
                scan.faults,
                scan.moreFaults);
    }

    private final class Scan implements SampleScan.Visitor {

        private final Usable usable;
        private final List<Fault> faults = new ArrayList<>();
        private long moreFaults;
        private long unusable;
        private long blocks;
        private long calls;
        private long observations;
        private long duplicates;

        Scan(Usable usable) {
            this.usable = usable;
        }

        @Override
        public void block(Block header, long offset, int length, ByteBuffer data) throws IOException {
            OfTester of = testers.computeIfAbsent(header.tester(), number -> new OfTester());
            if (of.numbers.contains(header.number())) {
                duplicates++;
                unusable += length;
                return;
            }
            String fault = check.fault(header, data);
            if (fault != null) {
                fault(
                        offset,
                        offset + length,
                        "block " + header.number() + " of tester " + header.tester() + ": " + fault);
                return;
            }
            of.numbers.add(header.number());
            of.outOfOrder += header.number() < of.last ? 1 : 0;
            of.last = header.number();
            blocks++;
            if (header.kind() == Block.CALLS && !check.isOfMonitors()) {
                calls += header.rows();
                of.sent += check.sent();
            } else if (header.kind() == Block.OBSERVATIONS || header.kind() == Block.EXCHANGES) {
                observations += header.rows();
            }
            usable.block(data.duplicate().limit(data.position() + length));
        }

        @Override
        public void damaged(long from, long to, boolean toEnd, String reason) {
            fault(from, to, (toEnd && from > 0 ? "up to the end of the file: " : "") + reason);
        }

        private void fault(long from, long to, String reason) {
            unusable += to - from;
            if (faults.size() < MAX_FAULTS) {
                faults.add(new Fault(from, to, reason));
            } else {
                moreFaults++;
            }
        }
    }
}
