package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.diperf.analyzer.run.AnnexJson;
import org.diperf.controller.monitor.Monitors;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;

/**
 * Writes what testbed, monitors and client of a run leave to be shown. What one of them cannot tell is missing, and the run says so.
 * Confined to the run's thread.
 */
final class RunAnnexes {

    private final RunScope scope;
    private final Path folder;
    private final Testbed testbed;
    private final Monitors monitors;

    /** @param folder of the run */
    RunAnnexes(RunScope scope, Path folder, Testbed testbed, Monitors monitors) {
        this.scope = scope;
        this.folder = folder;
        this.testbed = testbed;
        this.monitors = monitors;
    }

    /** Writes what the testbed says, so that it is there if this process is killed. */
    void write() throws IOException {
        write(ofTestbed());
    }

    /** Writes what all of them say; the monitors have been stopped. */
    void writeAll() throws IOException {
        List<AnnexRecord> all = ofTestbed();
        all.addAll(monitors.annexes());
        all.addAll(told("client", "", () -> {
            List<Parameters> with =
                    ScriptPlugins.parameters(scope.experiment(), scope.options().plugins());
            int first = scope.experiment().script().firstOwn();
            return first < 0
                    ? List.of()
                    : scope.plugin().annexes(scope.experiment().targets().each(), with.get(first));
        }));
        write(all);
    }

    private List<AnnexRecord> ofTestbed() {
        return told("testbed", monitors.ofTestbed(), testbed::annexes);
    }

    private List<AnnexRecord> told(String who, String monitor, Callable<List<Annex>> source) {
        List<AnnexRecord> told = new ArrayList<>();
        try {
            source.call().forEach(annex -> told.add(new AnnexRecord(monitor, annex)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            missing(who, e);
        } catch (Exception e) {
            missing(who, e);
        }
        return told;
    }

    private void missing(String who, Exception why) {
        scope.troubles().warnOnce(Warning.note(Subject.TESTBED, "the report from the " + who + " is missing: " + why));
    }

    private void write(List<AnnexRecord> records) throws IOException {
        List<AnnexRecord> named = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (AnnexRecord record : records) {
            String name = record.annex().name();
            for (int i = 2; !names.add(name); i++) {
                name = record.annex().name() + "-" + i;
            }
            named.add(new AnnexRecord(record.monitor(), record.annex().named(name)));
        }
        try {
            AnnexJson.write(folder, named, scope.output()::shown);
        } catch (IllegalArgumentException e) {
            missing("testbed", e);
        }
    }
}
