package org.diperf.plugins.gridftp.managed;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.ServerQueries;
import org.diperf.plugins.lib.gridftp.data.ServerQueries.Found;
import org.diperf.plugins.lib.gridftp.data.SessionResources;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of a job and their sizes, makes the folders that they need, and learns how far the servers are. Confined to the
 * job's event loop.
 */
final class FileDiscovery {

    /** What was found. */
    interface Ended {

        /**
         * Takes it, once, unless the finding is closed before.
         *
         * @param files with a failure for each whose size could not be told
         * @param roundTripNanos to the farther server
         */
        void found(List<Found> files, long roundTripNanos);

        /**
         * Takes why nothing is moved, once.
         *
         * @param file on this side that is the reason, {@code null} where none is
         */
        void failed(Failure why, @Nullable String file);
    }

    private final SessionResources resources;
    private final TransferSpec order;
    private final Ended ended;
    private final ServerQueries near;
    private final @Nullable ServerQueries far;
    private @Nullable List<Found> files;
    private boolean farReady;
    private boolean over;

    FileDiscovery(SessionResources resources, TransferSpec order, EventLoop loop, Ended ended) {
        this.resources = resources;
        this.order = order;
        this.ended = ended;
        Server to = order.to();
        near = new ServerQueries(resources, order.server(), "target", to != null, loop, why -> failed(why, null));
        far = to == null ? null : new ServerQueries(resources, to, "to", true, loop, why -> failed(why, null));
    }

    void begin() {
        near.open(this::find);
        if (far != null) {
            far.open(() -> {
                farReady = true;
                prepare();
            });
        }
    }

    private void find() {
        Consumer<List<Found>> then = found -> {
            files = found;
            prepare();
        };
        if (resources.settings().direction() == Direction.PUT) {
            try {
                then.accept(here());
            } catch (IOException e) {
                failedHere(e);
            }
        } else if (order.isWholeFolder()) {
            near.list(order.path(), then);
        } else {
            String folder = order.folder();
            near.sizes(
                    order.namesKnown().stream().map(name -> folder + name).toList(),
                    found -> then.accept(found.stream()
                            .map(each -> new Found(each.path().substring(folder.length()), each.size(), each.failure()))
                            .toList()));
        }
    }

    /** Finds what is on this side: of a folder all files below it; zeros are as large as they are told to be. */
    private List<Found> here() throws IOException {
        Path local = order.local();
        if (local == null) {
            long size = resources.settings().size();
            return order.namesKnown().stream()
                    .map(name -> new Found(name, size, null))
                    .toList();
        }
        List<Found> found = new ArrayList<>();
        if (order.names().isEmpty()) {
            try (Stream<Path> all = Files.walk(local)) {
                for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                    found.add(new Found(local.relativize(each).toString(), Files.size(each), null));
                }
            } catch (UncheckedIOException e) {
                throw e.getCause(); // of a folder below it
            }
        } else {
            for (String name : order.names()) {
                found.add(new Found(name, Files.size(local.resolve(name)), null));
            }
        }
        return found;
    }

    /** Makes folders where files go to folders. */
    private void prepare() {
        List<Found> found = files;
        if (found == null || over || (far != null && !farReady)) {
            return;
        }
        TreeSet<String> within = new TreeSet<>();
        for (Found each : found) {
            for (int slash = each.path().indexOf('/');
                    slash > 0;
                    slash = each.path().indexOf('/', slash + 1)) {
                within.add(each.path().substring(0, slash));
            }
        }
        if (resources.settings().direction() == Direction.GET) {
            Path local = order.local();
            try {
                if (local != null) {
                    Files.createDirectories(local);
                    for (String folder : within) {
                        Files.createDirectories(local.resolve(folder));
                    }
                }
            } catch (IOException e) {
                failedHere(e);
                return;
            }
            done(found);
            return;
        }
        String root = far == null ? order.folder() : order.toPath("");
        List<String> folders = new ArrayList<>();
        if (root.endsWith("/") && root.length() > 1) {
            folders.add(root.substring(0, root.length() - 1));
        }
        within.forEach(folder -> folders.add(root + folder));
        (far == null ? near : far).folders(root.endsWith("/") ? folders : List.of(), () -> done(found));
    }

    private void done(List<Found> found) {
        long roundTripNanos = Math.max(near.roundTripNanos(), far == null ? 0 : far.roundTripNanos());
        close();
        ended.found(found, roundTripNanos);
    }

    /** Looks whether a server owes an answer and has been silent for too long; to be asked now and then. */
    void look(long nowNanos) {
        Failure silent = near.silent(nowNanos, order.stallNanos());
        if (silent == null && far != null) {
            silent = far.silent(nowNanos, order.stallNanos());
        }
        if (silent != null) {
            failed(silent, null);
        }
    }

    private void failedHere(IOException what) {
        failed(
                Failures.ofLocalFile(what, resources.settings().localName()),
                what instanceof FileSystemException of ? of.getFile() : null);
    }

    private void failed(Failure why, @Nullable String file) {
        if (!over) {
            close();
            ended.failed(why, file);
        }
    }

    void close() {
        over = true;
        near.close();
        if (far != null) {
            far.close();
        }
    }
}
