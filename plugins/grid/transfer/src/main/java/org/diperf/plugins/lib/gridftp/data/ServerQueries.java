package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Exchange;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one server next to transfers, over a control channel of its own: which files are in a folder, how large files are, that
 * folders be made. Whatever it cannot do ends it. Confined to its event loop.
 */
public final class ServerQueries {

    private static final int MAX_FILES = 1_000_000;
    private static final int MAX_FOLDERS = 100_000;

    private final Endpoint endpoint;
    private final Consumer<Failure> whenLost;
    private boolean over;

    /**
     * A file of a server.
     *
     * @param path as it was asked for, or below the folder that was listed
     * @param size in bytes, 0 where it could not be told
     * @param failure why it could not, or {@code null}
     */
    public record Found(String path, long size, @Nullable Failure failure) {}

    /**
     * @param role the key by which the experiment names the server: {@code target} or {@code to}
     * @param isOneOfTwo whether failures before the log-in have to tell which one it is
     * @param whenLost takes why, at most once; nothing more is told then
     */
    public ServerQueries(
            SessionResources resources,
            Server server,
            String role,
            boolean isOneOfTwo,
            EventLoop loop,
            Consumer<Failure> whenLost) {
        this.whenLost = whenLost;
        endpoint = new Endpoint(resources, server, role, isOneOfTwo, loop, List.of(), List.of(), List.of(), this::lost);
    }

    /**
     * Looks whether the server owes an answer and has been silent for too long; to be asked now and then.
     *
     * @return what it owes, {@code null} as long as it need not be given up
     */
    public @Nullable Failure silent(long nowNanos, long mostNanos) {
        return over ? null : endpoint.silent(nowNanos, mostNanos);
    }

    /** Connects and logs in. */
    public void open(Runnable ready) {
        endpoint.open(() -> {
            if (!over) {
                ready.run();
            }
        });
    }

    /** Returns the shortest time that this side waited for the server while it logged in, in nanoseconds. */
    public long roundTripNanos() {
        return endpoint.roundTripNanos();
    }

    private void lost(Failure why) {
        if (!over) {
            close();
            whenLost.accept(why);
        }
    }

    /** Finds all files of a folder and of those below it, in no order. */
    public void list(String folder, Consumer<List<Found>> then) {
        new Walk(folder.endsWith("/") ? folder : folder + "/", then).into("");
    }

    /** Asks for the sizes of files, without waiting in between. */
    public void sizes(List<String> paths, Consumer<List<Found>> then) {
        List<Found> found = new ArrayList<>(paths.size());
        if (paths.isEmpty()) {
            then.accept(found);
        }
        for (String path : paths) {
            endpoint.control().send("SIZE " + path, reply -> {
                found.add(sized(path, reply));
                if (found.size() == paths.size() && !over) {
                    then.accept(found);
                }
            });
        }
    }

    private static Found sized(String path, Reply reply) {
        if (!reply.isPositive()) {
            return new Found(path, 0, Failure.ofService("SIZE: " + reply.cause()));
        }
        long size = number(reply.text().strip());
        return size < 0 ? new Found(path, 0, Failure.ofService("SIZE: not a number")) : new Found(path, size, null);
    }

    private static long number(String digits) {
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
    }

    /** Makes folders, outer ones first. What the server says is not looked at: one that is there, too, is refused. */
    public void folders(List<String> paths, Runnable then) {
        int[] answered = {0};
        if (paths.isEmpty()) {
            then.run();
        }
        for (String path : paths) {
            endpoint.control().send("MKD " + path, any -> {
                if (++answered[0] == paths.size() && !over) {
                    then.run();
                }
            });
        }
    }

    /** Hangs up; nobody is told. */
    public void close() {
        over = true;
        endpoint.close();
    }

    /** The listing of one tree, by MLSC, which answers on the control channel. */
    private final class Walk {

        private final String root;
        private final Consumer<List<Found>> then;
        private final List<Found> files = new ArrayList<>();
        private int folders;
        private int asked;

        Walk(String root, Consumer<List<Found>> then) {
            this.root = root;
            this.then = then;
        }

        void into(String folder) {
            asked++;
            if (++folders > MAX_FOLDERS) {
                lost(Failure.ofService("MLSC: more than " + MAX_FOLDERS + " folders"));
                return;
            }
            endpoint.control().send("MLSC " + root + folder, new Exchange() {
                @Override
                public void preliminary(Reply reply) {
                    take(folder, reply); // a long list comes in parts
                }

                @Override
                public void completed(Reply reply) {
                    if (!reply.isPositive()) {
                        lost(Failure.ofService("MLSC: " + reply.cause()));
                        return;
                    }
                    take(folder, reply);
                    if (--asked == 0 && !over) {
                        then.accept(files);
                    }
                }
            });
        }

        private void take(String folder, Reply reply) {
            List<String> lines = reply.lines();
            for (int i = 1; i < lines.size() - 1 && !over; i++) {
                entry(folder, lines.get(i).stripLeading());
            }
        }

        private void entry(String folder, String line) {
            int space = line.indexOf(' ');
            String name = space < 0 ? "" : line.substring(space + 1);
            Map<String, String> facts = facts(line.substring(0, Math.max(0, space)));
            String type = facts.getOrDefault("type", "").toLowerCase(Locale.ROOT);
            if (!type.equals("file") && !type.equals("dir")) {
                return; // the folder itself, the one above it, devices
            }
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
                // A server must not choose where in the tester's file system its files go.
                lost(Failure.ofService("MLSC: an invalid name"));
            } else if (type.equals("dir")) {
                into(folder + name + "/");
            } else if (files.size() == MAX_FILES) {
                lost(Failure.ofService("MLSC: more than " + MAX_FILES + " files"));
            } else {
                long size = number(facts.getOrDefault("size", ""));
                files.add(new Found(
                        folder + name, Math.max(0, size), size < 0 ? Failure.ofService("MLSC: no size") : null));
            }
        }

        private static Map<String, String> facts(String text) {
            Map<String, String> facts = new HashMap<>();
            for (String fact : text.split(";", -1)) {
                int equals = fact.indexOf('=');
                if (equals > 0) {
                    facts.put(fact.substring(0, equals).toLowerCase(Locale.ROOT), fact.substring(equals + 1));
                }
            }
            return facts;
        }
    }
}
