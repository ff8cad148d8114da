package org.diperf.core.faults;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link FaultyFileSystem}; the path of the real one. Immutable. */
final class FaultyPath implements Path {

    private final FaultyFileSystem system;
    final Path real;

    FaultyPath(FaultyFileSystem system, Path real) {
        this.system = system;
        this.real = real;
    }

    static Path real(Path path) {
        return path instanceof FaultyPath faulty ? faulty.real : path;
    }

    private FaultyPath of(Path path) {
        return new FaultyPath(system, path);
    }

    private @Nullable FaultyPath orNull(@Nullable Path path) {
        return path == null ? null : of(path);
    }

    @Override
    public FileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return orNull(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return orNull(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return orNull(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return of(real.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return of(real.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return real.startsWith(real(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return real.endsWith(real(other));
    }

    @Override
    public Path normalize() {
        return of(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return of(real.resolve(real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return of(real.relativize(real(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return of(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return of(real.toRealPath(options));
    }

    @Override
    public File toFile() {
        throw new UnsupportedOperationException("A file of a faulty disk is reached by its path alone");
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("Nobody watches a faulty disk");
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(real(other));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FaultyPath faulty && faulty.system == system && faulty.real.equals(real);
    }

    @Override
    public int hashCode() {
        return real.hashCode();
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
