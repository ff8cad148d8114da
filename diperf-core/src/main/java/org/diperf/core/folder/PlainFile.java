package org.diperf.core.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Opens files of a folder that may come from anybody: no link is followed to what its maker may not read, no pipe is waited for, and no
 * more is read than fits.
 */
public final class PlainFile {

    /** The longest JSON of a run, bytes. */
    public static final int MAX_JSON = 1 << 27;

    private PlainFile() {}

    /** Returns whether this is a regular file, and no link to one. */
    public static boolean is(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens a file for reading.
     *
     * @throws IOException when it is a link, a folder, a pipe or a device, or cannot be read
     */
    public static FileChannel open(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !is(file)) {
            throw new IOException(file + ": expected a regular file, got "
                    + (Files.isSymbolicLink(file)
                            ? "a link; put the file itself there"
                            : Files.isDirectory(file) ? "a folder" : "a pipe or a device"));
        }
        return FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Refuses a folder that is a link. */
    public static Path folder(Path folder) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new IOException(folder + ": expected a folder, got a link; put the folder itself there");
        }
        return folder;
    }

    /**
     * Reads a file.
     *
     * @param most bytes that it may have
     * @throws IOException as for {@link #open}, and when it is longer
     */
    public static byte[] read(Path file, int most) throws IOException {
        try (FileChannel channel = open(file)) {
            if (channel.size() > most) {
                throw new IOException(file + ": expected at most " + most + " bytes, got " + channel.size());
            }
            return Channels.newInputStream(channel).readNBytes(most);
        }
    }

    /** Reads at most so many bytes from the start of a file. */
    public static byte[] head(Path file, int most) throws IOException {
        try (InputStream in = Channels.newInputStream(open(file))) {
            return in.readNBytes(most);
        }
    }
}
