package org.diperf.core.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does what is asked on the real file system, and tells the disk. */
final class FaultyProvider extends FileSystemProvider {

    private final FaultyFileSystem system;
    private final FaultyDisk disk;

    FaultyProvider(FaultyFileSystem system, FaultyDisk disk) {
        this.system = system;
        this.disk = disk;
    }

    private static Path real(Path path) {
        return FaultyPath.real(path);
    }

    private static FileSystemProvider of(Path path) {
        return real(path).getFileSystem().provider();
    }

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw new UnsupportedOperationException("A faulty file system is made with its disk");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        return system.getPath(uri.getPath());
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (!Files.exists(real(path))) {
            disk.checkTakesChanges();
        }
        disk.opening(real(path));
        disk.mayOpen(real(path));
        FileChannel channel = FileChannel.open(real(path), options, attributes);
        try {
            disk.made(real(path), false);
            FaultyChannel opened = new FaultyChannel(channel, real(path), disk);
            disk.opened(opened);
            return opened;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(real(folder))) {
            for (Path each : stream) {
                Path path = new FaultyPath(system, each);
                if (filter.accept(path)) {
                    found.add(path);
                }
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        disk.checkTakesChanges();
        of(folder).createDirectory(real(folder), attributes);
        disk.made(real(folder), true);
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.checkTakesChanges();
        of(path).delete(real(path));
        disk.deleted(real(path));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(Files.readAllBytes(from));
        }
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        disk.checkTakesChanges();
        of(from).move(real(from), real(to), options);
        disk.moved(real(from), real(to));
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return of(one).isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return of(path).isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return of(path).getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        of(path).checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return of(path).getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return of(path).readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return of(path).readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        of(path).setAttribute(real(path), attribute, value, options);
    }
}
