package org.diperf.controller.testbed;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The tester's jar as the controller's jar carries it: that one begins with all bytes of the tester's but its directory,
 * which is an entry. So the tester's jar is copied rather than packed, and has the same bytes on every machine. The build
 * lays it out ({@code src/build/java/CarryTester.java}). Immutable.
 *
 * @param within the controller's jar
 * @param sha256 of the tester's jar, in hexadecimal digits
 * @param size of the tester's jar in bytes
 */
public record EmbeddedTesterJar(Path within, String sha256, long size) {

    static final String FACTS = "diperf-tester.properties";
    static final String DIRECTORY = "diperf-tester.directory";

    /** Returns the tester in the jar that this class is from; empty where it is from no such jar, as in an IDE. */
    public static Optional<EmbeddedTesterJar> find() throws IOException {
        Optional<Path> self = ControllerJar.find();
        return self.isEmpty() ? Optional.empty() : in(self.get());
    }

    /** Returns the tester in a controller's jar; empty where there is none. */
    public static Optional<EmbeddedTesterJar> in(Path controller) throws IOException {
        try (ZipFile jar = new ZipFile(controller.toFile())) {
            ZipEntry facts = jar.getEntry(FACTS);
            if (facts == null) {
                return Optional.empty();
            }
            Properties read = new Properties();
            try (InputStream in = jar.getInputStream(facts)) {
                read.load(in);
            }
            return Optional.of(new EmbeddedTesterJar(
                    controller, read.getProperty("sha256", ""), Long.parseLong(read.getProperty("size", "0"))));
        }
    }

    /** Writes the tester's jar over an existing file. */
    public void writeTo(Path file) throws IOException {
        try (ZipFile jar = new ZipFile(within.toFile());
                InputStream in = jar.getInputStream(jar.getEntry(DIRECTORY));
                FileChannel from = FileChannel.open(within);
                FileChannel to = FileChannel.open(
                        file,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer directory = ByteBuffer.wrap(in.readAllBytes());
            long entries = size - directory.remaining();
            for (long copied = 0; copied < entries; ) {
                long more = from.transferTo(copied, entries - copied, to);
                if (more <= 0) {
                    throw new EOFException("Expected " + entries + " bytes of " + within + ", got " + copied);
                }
                copied += more;
            }
            while (directory.hasRemaining()) {
                to.write(directory);
            }
        }
    }
}
