package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.folder.FolderTree;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes runs. */
@Command(
        name = "rm",
        description = {
            "Removes runs with all their measurements, after confirmation. Refuses to remove runs that are still "
                    + "running, links, or folders that are not runs; in that case, nothing is removed.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf runs rm orders-20261123T101500Z           a run in runs/, by its name",
            "  diperf runs rm runs/orders-* --yes               without asking",
            "",
            "Exit codes: 0 removed; 2 bad usage, a run is still running, or the answer was no;",
            "3 a file could not be removed.",
        })
final class RunsRemoveCommand extends Subcommand {

    @Parameters(
            paramLabel = "RUN",
            arity = "1..*",
            description = "Run folders, or names of runs in runs/. runs/latest means the run that it links to.")
    List<Path> runs;

    @Option(names = "--yes", description = "Remove without asking.")
    boolean yes;

    @Override
    public Integer call() throws UsageException, IOException {
        PrintWriter out = stdout();
        Map<Path, StoredRun> found = new LinkedHashMap<>();
        for (Path named : runs) {
            Path folder = folder(named);
            found.put(folder, StoredRun.of(folder));
        }
        long bytes = 0;
        for (StoredRun run : found.values()) {
            bytes += run.bytes();
        }
        String what = Numbers.count(found.size(), "run") + " (" + Numbers.bytes(bytes) + "): "
                + String.join(", ", found.keySet().stream().map(RunGroups::name).toList());
        if (!yes) {
            if (!Terminal.answers()) {
                throw new UsageException("runs rm: needs confirmation to remove " + what
                        + ", but there is no terminal to prompt on; use --yes");
            }
            if (!Terminal.confirms("This removes " + what + ". Go on? [y/N] ", out)) {
                throw new UsageException("Nothing was removed");
            }
        }
        for (Path folder : found.keySet()) {
            FolderTree.delete(folder);
            relink(folder);
        }
        out.println("removed " + what);
        return ExitCode.DONE;
    }

    /** Finds the folder of a run, which is not under way. */
    private static Path folder(Path named) throws UsageException, IOException {
        Path given = Files.exists(named) ? named : RunFolders.RUNS.resolve(named);
        if (!Files.exists(given)) {
            throw new UsageException("runs rm: no run " + named + "; 'diperf runs' lists those in runs/");
        }
        Path folder = given.toRealPath();
        Path parentOfLink = given.toAbsolutePath().getParent();
        if (Files.isSymbolicLink(given)
                && !(given.endsWith("latest")
                        && parentOfLink != null
                        && parentOfLink.toRealPath().equals(folder.getParent()))) {
            throw new UsageException(
                    "runs rm: " + named + " is a link to " + folder + "; name that folder itself. Nothing was removed");
        }
        if (!StoredRun.isOurs(folder)) {
            throw new UsageException("runs rm: " + named + " is not a run folder"
                    + (StoredRun.isOne(folder)
                            ? ", or its record is damaged: nothing in it says that DiPerF wrote it. If it is one, "
                                    + "remove the folder yourself. Nothing was removed"
                            : "; nothing was removed"));
        }
        Path other = otherRun(folder);
        if (other != null) {
            throw new UsageException("runs rm: " + named + " also contains the run " + other
                    + "; move or remove that first. Nothing was removed");
        }
        Path parent = folder.getParent();
        if (parent != null && GridAnalyzer.isGrid(parent)) {
            throw new UsageException("runs rm: " + named + " is one of the runs in " + parent.getFileName()
                    + ", which belong together; remove all of them, or none. Nothing was removed");
        }
        if (StoredRun.isUnderWay(folder)) {
            throw new UsageException(
                    "runs rm: " + named + " is still running; stop it first (Ctrl-C). Nothing was removed");
        }
        return folder;
    }

    /** Finds a run in the folder of another, of whose runs it is none; {@code null}: there is none. */
    private static @Nullable Path otherRun(Path folder) throws IOException {
        Set<Path> own = StoredRun.runsOf(folder).stream()
                .map(entry -> folder.resolve(entry.dir()).normalize())
                .collect(Collectors.toSet());
        for (Path each : FolderTree.deepestFirst(folder)) {
            if (!each.equals(folder)
                    && !own.contains(each)
                    && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                    && StoredRun.isOurs(each)) {
                return folder.relativize(each);
            }
        }
        return null;
    }

    /** Points {@code latest} at the newest run that is left, or removes it, if it pointed at the one that is gone. */
    private static void relink(Path removed) throws IOException {
        Path latest = removed.resolveSibling("latest");
        if (!Files.isSymbolicLink(latest) || Files.exists(latest)) {
            return;
        }
        Files.delete(latest);
        List<StoredRun> left = StoredRun.in(removed.resolveSibling("."));
        if (!left.isEmpty() && !Files.exists(latest, LinkOption.NOFOLLOW_LINKS)) {
            RunFolders.linkLatest(left.get(0).folder().toRealPath());
        }
    }
}
