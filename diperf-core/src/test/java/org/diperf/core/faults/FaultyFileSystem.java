package org.diperf.core.faults;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The default file system, whose changes go through a {@link FaultyDisk}. */
final class FaultyFileSystem extends FileSystem {

    private static final FileSystem REAL = FileSystems.getDefault();
    private final FaultyProvider provider;

    FaultyFileSystem(FaultyDisk disk) {
        this.provider = new FaultyProvider(this, disk);
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return REAL.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return REAL.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return REAL.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return new FaultyPath(this, REAL.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher real = REAL.getPathMatcher(syntaxAndPattern);
        return path -> real.matches(FaultyPath.real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return REAL.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("Nobody watches a faulty disk");
    }
}
