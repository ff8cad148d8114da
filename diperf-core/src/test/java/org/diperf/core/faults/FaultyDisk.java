package org.diperf.core.faults;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk that fails when its test says so: it is full, takes a part of a write, or cannot force a file. It remembers what a
 * failure of the machine would leave: the contents that were forced, under the names that were forced, and no more.
 * Everything else is a real folder's. Thread-safe.
 */
public final class FaultyDisk {

    private final Path real;
    private final FaultyPath root;
    private final Node top = new Node(true);
    private long room = Long.MAX_VALUE;
    private int forcesUntilFailure = Integer.MAX_VALUE;
    private String folderProblem = "";
    private boolean stopped;
    private int foldersToFail;
    private String openProblem = "";
    private String problem = "";
    private Consumer<Event> listener = event -> {};
    private Consumer<String> writeListener = name -> {};
    private volatile Consumer<String> openListener = name -> {};
    private final Set<FaultyChannel> open = new HashSet<>();

    /** What was done, and to which file or folder, named from the root. */
    public record Event(Kind kind, String name) {}

    /** What can be done. */
    public enum Kind {
        /** A file has grown or was changed. */
        WRITE,
        /** The contents of a file are durable. */
        FORCE,
        /** The names in a folder are durable. */
        FORCE_NAMES,
        /** A file has got this name. */
        MOVE,
        /** A name is gone. */
        DELETE
    }

    /** A file or a folder, which has its name in the folder that it is in. */
    private static final class Node {
        final boolean isFolder;
        final Map<String, Node> names = new HashMap<>();
        Map<String, Node> durableNames = Map.of();
        byte[] durable = {};
        /** Whether the system has dropped what it could not force, and takes it for clean. */
        boolean dropped;

        Node(boolean isFolder) {
            this.isFolder = isFolder;
        }
    }

    /** @param real an empty folder, which takes what is written */
    public FaultyDisk(Path real) {
        this.real = real.toAbsolutePath();
        this.root = new FaultyPath(new FaultyFileSystem(this), this.real);
    }

    /** Returns the folder to be used instead of the real one. */
    public Path root() {
        return root;
    }

    /** Tells of all that is done, on the thread that does it and while no other can do anything. */
    public synchronized void tell(Consumer<Event> told) {
        listener = told;
    }

    /** Tells the name of each file that is about to be written, before anything of that write is done. */
    public synchronized void tellBeforeWrites(Consumer<String> told) {
        writeListener = told;
    }

    /** Tells the name of each file that is about to be opened, on the thread that opens it, while others can do anything. */
    public void tellBeforeOpens(Consumer<String> told) {
        openListener = told;
    }

    /** Leaves room for so many bytes more. */
    public synchronized void leaveRoom(long bytes) {
        room = bytes;
    }

    /** Makes room. */
    public synchronized void makeRoom() {
        room = Long.MAX_VALUE;
    }

    /** Takes nothing more and forces nothing more, for this reason; empty: it works. */
    public synchronized void breakDown(String reason) {
        problem = reason;
    }

    /** Fails to force a file, once, after so many that succeed. */
    public synchronized void failForceAfter(int forces) {
        forcesUntilFailure = forces;
    }

    /** Cannot force a folder, for this reason; empty: it can. */
    public synchronized void failFolders(String reason) {
        folderProblem = reason;
        foldersToFail = Integer.MAX_VALUE;
    }

    /** Fails to force a folder, once, for this reason. */
    public synchronized void failFolderOnce(String reason) {
        folderProblem = reason;
        foldersToFail = 1;
    }

    /** Opens nothing any more, for this reason. */
    public synchronized void failOpens(String reason) {
        openProblem = reason;
    }

    /** Takes no more changes until {@link #restart}: who made them was killed, whatever it still tries. */
    public synchronized void stop() {
        stopped = true;
    }

    /** Takes changes again, of another process: what the one before had open is closed. */
    public void restart() throws IOException {
        closeAll();
        synchronized (this) {
            stopped = false;
        }
    }

    /** Returns what is durable of a file; {@code null}: not even its name, or that of a folder which it is in. */
    public synchronized byte @Nullable [] durable(String name) {
        Node node = top;
        for (String each : name.split("/", -1)) {
            node = node.durableNames.get(each);
            if (node == null) {
                return null;
            }
        }
        return node.durable.clone();
    }

    /** Writes what a failure of the machine would leave now into an empty folder. */
    public synchronized void leaveDurable(Path to) throws IOException {
        leaveDurable(top, to);
    }

    private static void leaveDurable(Node node, Path to) throws IOException {
        for (Map.Entry<String, Node> each : node.durableNames.entrySet()) {
            Path path = to.resolve(each.getKey());
            if (each.getValue().isFolder) {
                leaveDurable(each.getValue(), Files.createDirectory(path));
            } else {
                Files.write(path, each.getValue().durable);
            }
        }
    }

    /** Closes what is open, as the system does for a process that was killed. */
    public void closeAll() throws IOException {
        for (FaultyChannel each : opened()) {
            each.close();
        }
    }

    private synchronized List<FaultyChannel> opened() {
        return List.copyOf(open);
    }

    // What the file system asks

    synchronized void checkTakesChanges() throws IOException {
        if (stopped) {
            throw new IOException("Who uses this disk was killed");
        }
    }

    void opening(Path path) {
        openListener.accept(name(path));
    }

    synchronized void mayOpen(Path path) throws IOException {
        if (!openProblem.isEmpty()) {
            throw new FileSystemException(path.toString(), null, openProblem);
        }
    }

    synchronized void opened(FaultyChannel channel) {
        open.add(channel);
    }

    synchronized void closed(FaultyChannel channel) {
        open.remove(channel);
    }

    private String name(Path path) {
        return real.relativize(path.toAbsolutePath()).toString();
    }

    private List<String> names(Path path) {
        List<String> names = new ArrayList<>();
        real.relativize(path.toAbsolutePath()).forEach(each -> names.add(each.toString()));
        names.remove("");
        return names;
    }

    private @Nullable Node find(Path path) {
        Node node = top;
        for (String each : names(path)) {
            node = node == null ? null : node.names.get(each);
        }
        return node;
    }

    private Node folderOf(Path path) throws IOException {
        Node folder = find(requireNonNull(path.toAbsolutePath().getParent()));
        if (folder == null) {
            throw new NoSuchFileException(path.toString());
        }
        return folder;
    }

    private static String last(Path path) {
        return requireNonNull(path.getFileName()).toString();
    }

    synchronized void made(Path path, boolean isFolder) throws IOException {
        if (path.toAbsolutePath().startsWith(real) && find(path) == null) {
            folderOf(path).names.put(last(path), new Node(isFolder));
        }
    }

    synchronized void deleted(Path path) throws IOException {
        folderOf(path).names.remove(last(path));
        listener.accept(new Event(Kind.DELETE, name(path)));
    }

    synchronized void moved(Path from, Path to) throws IOException {
        Node node = folderOf(from).names.remove(last(from));
        folderOf(to).names.put(last(to), requireNonNull(node, "moved"));
        listener.accept(new Event(Kind.MOVE, name(to)));
    }

    synchronized void mayWrite(Path path) throws IOException {
        writeListener.accept(name(path));
        checkWorks();
    }

    private void checkWorks() throws IOException {
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /** Returns how many of so many bytes fit, by which a file grows. */
    synchronized int take(int bytes) throws IOException {
        if (bytes > 0 && room <= 0) {
            throw new IOException("No space left on device");
        }
        int taken = (int) Math.min(bytes, room);
        room -= room == Long.MAX_VALUE ? 0 : taken;
        return taken;
    }

    synchronized void written(Path path) {
        listener.accept(new Event(Kind.WRITE, name(path)));
    }

    synchronized void truncated(Path path, long size) {
        Node node = find(path);
        if (node != null && size <= node.durable.length) {
            node.dropped = false;
        }
        written(path);
    }

    synchronized void forced(Path path) throws IOException {
        checkWorks();
        Node node = requireNonNull(find(path), path.toString());
        if (node.isFolder) {
            if (!folderProblem.isEmpty() && foldersToFail-- > 0) {
                throw new IOException(folderProblem);
            }
            node.durableNames = Map.copyOf(node.names);
            listener.accept(new Event(Kind.FORCE_NAMES, name(path)));
            return;
        }
        if (forcesUntilFailure-- == 0) {
            node.dropped = true;
            throw new IOException("Input/output error");
        }
        if (!node.dropped) {
            node.durable = Files.readAllBytes(path);
        }
        listener.accept(new Event(Kind.FORCE, name(path)));
    }
}
