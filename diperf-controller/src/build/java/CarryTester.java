import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * A step of the build: puts the tester's jar into the controller's, which has nearly all of its entries anyway. The result
 * begins with the tester's jar byte by byte, up to that jar's directory; behind it come the entries that only the
 * controller has, or has with another content. Its own directory leads to the tester's copy of what both have, and to none
 * of the few entries that differ. The tester's directory is an entry of its own, so that {@code
 * org.diperf.controller.testbed.CarriedTester} makes the tester's jar again from the first bytes of this one and that
 * entry.
 *
 * <p>Classes that only the controller has, and that are in the format of Java 5 (picocli's and those of Commons Math), are written in that of Java 8:
 * the same code with the frames that a verifier of today checks. A JVM keeps no older ones in its archives, so that
 * every command would read and verify them anew.
 *
 * <p>The layout of jars is that of PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.4; jars of 4 GB or 65,535 entries and more
 * are refused.
 */
final class CarryTester {

    private static final int DIRECTORY_HEADER = 0x02014b50;
    private static final int DIRECTORY_HEADER_SIZE = 46;
    private static final int LOCAL_HEADER = 0x04034b50;
    private static final int LOCAL_HEADER_SIZE = 30;
    private static final int END = 0x06054b50;
    private static final int END_SIZE = 22;
    private static final int VERSION = 20;
    private static final int UTF_8 = 1 << 11;
    private static final int DEFLATED = 8;
    /** 1980-01-01, the first day that a jar can name: the bytes must not depend on when they were made. */
    private static final int FIRST_DAY = 1 << 21 | 1 << 16;

    /** Classes of an older format are in no archive of a JVM. */
    private static final int ARCHIVED_FORMAT = Opcodes.V1_6;

    private CarryTester() {}

    /** Takes the controller's jar, the tester's, and the name of the jar to be made. */
    public static void main(String[] args)
            throws IOException, NoSuchAlgorithmException, DataFormatException {
        Jar controller = Jar.read(Path.of(args[0]));
        Jar tester = Jar.read(Path.of(args[1]));
        Path whole = Path.of(args[2]);

        ByteArrayOutputStream out = new ByteArrayOutputStream(controller.bytes.length + 1_000_000);
        out.write(tester.bytes, 0, tester.directory);
        List<byte[]> directory = new ArrayList<>();
        Map<String, Entry> carried = new HashMap<>();
        for (Entry entry : tester.entries) {
            carried.put(entry.name, entry);
        }
        try (URLClassLoader classes =
                new URLClassLoader(new URL[] {Path.of(args[0]).toUri().toURL()}, null)) {
            for (Entry entry : controller.entries) {
                Entry same = carried.remove(entry.name);
                if (same != null && same.crc == entry.crc && same.size == entry.size) {
                    directory.add(same.header);
                } else if (entry.name.endsWith(".class") && isOld(controller.content(entry))) {
                    directory.add(add(entry.name, newer(controller.content(entry), classes), out));
                } else {
                    directory.add(at(entry.header, out.size()));
                    out.write(controller.bytes, entry.offset, entry.end - entry.offset);
                }
            }
        }
        if (!carried.isEmpty()) {
            throw new IllegalStateException(
                    "Expected all entries of the tester in the controller's jar too, not there: " + carried.keySet());
        }

        byte[] digest = MessageDigest.getInstance("SHA-256").digest(tester.bytes);
        String facts = "size=" + tester.bytes.length + "\nsha256=" + HexFormat.of().formatHex(digest) + "\n";
        directory.add(add("diperf-tester.properties", facts.getBytes(StandardCharsets.UTF_8), out));
        byte[] rest = Arrays.copyOfRange(tester.bytes, tester.directory, tester.bytes.length);
        directory.add(add("diperf-tester.directory", rest, out));
        end(directory, out);
        Files.write(whole, out.toByteArray());
    }

    private static boolean isOld(byte[] classFile) {
        return ByteBuffer.wrap(classFile).getShort(6) < ARCHIVED_FORMAT;
    }

    /** Returns a class in the format of Java 8. */
    private static byte[] newer(byte[] classFile, ClassLoader classes) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected ClassLoader getClassLoader() {
                return classes;
            }
        };
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public void visit(int format, int access, String name, String signature, String parent, String[] interfaces) {
                        super.visit(Opcodes.V1_8, access, name, signature, parent, interfaces);
                    }
                },
                ClassReader.SKIP_FRAMES);
        return writer.toByteArray();
    }

    /** Returns a header of a directory for an entry that has moved. */
    private static byte[] at(byte[] header, int offset) {
        byte[] moved = header.clone();
        little(moved).putInt(42, offset);
        return moved;
    }

    /** Adds an entry; returns its header in the directory. */
    private static byte[] add(String name, byte[] content, ByteArrayOutputStream out) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(content);
        deflater.finish();
        byte[] packed = new byte[content.length + 64];
        int length = deflater.deflate(packed);
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(content);
        byte[] named = name.getBytes(StandardCharsets.UTF_8);
        int offset = out.size();

        ByteBuffer facts = little(new byte[26]);
        facts.putShort((short) VERSION).putShort((short) UTF_8).putShort((short) DEFLATED).putInt(FIRST_DAY);
        facts.putInt((int) crc.getValue()).putInt(length).putInt(content.length);
        facts.putShort((short) named.length).putShort((short) 0);

        out.writeBytes(little(new byte[LOCAL_HEADER_SIZE])
                .putInt(LOCAL_HEADER)
                .put(facts.array())
                .array());
        out.writeBytes(named);
        out.write(packed, 0, length);
        ByteBuffer header = little(new byte[DIRECTORY_HEADER_SIZE + named.length]);
        header.putInt(DIRECTORY_HEADER).putShort((short) VERSION).put(facts.array());
        header.putInt(42, offset).position(DIRECTORY_HEADER_SIZE).put(named);
        return header.array();
    }

    private static void end(List<byte[]> directory, ByteArrayOutputStream out) {
        int offset = out.size();
        directory.forEach(out::writeBytes);
        ByteBuffer end = little(new byte[END_SIZE]).putInt(END).putInt(0);
        if (directory.size() >= 0xffff) {
            throw new IllegalStateException("Expected fewer than 65,535 entries, got " + directory.size());
        }
        end.putShort((short) directory.size()).putShort((short) directory.size());
        end.putInt(out.size() - offset).putInt(offset);
        out.writeBytes(end.array());
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * An entry of a jar.
     *
     * @param header in the directory
     * @param offset of its local header
     * @param end offset of what follows it
     */
    private record Entry(String name, int crc, int size, byte[] header, int offset, int end) {}

    /**
     * A jar, whose entries follow each other without gaps.
     *
     * @param directory its offset
     */
    private record Jar(byte[] bytes, int directory, List<Entry> entries) {

        /** Returns what is in an entry. */
        byte[] content(Entry entry) throws DataFormatException {
            ByteBuffer jar = little(bytes);
            int start = entry.offset
                    + LOCAL_HEADER_SIZE
                    + Short.toUnsignedInt(jar.getShort(entry.offset + 26))
                    + Short.toUnsignedInt(jar.getShort(entry.offset + 28));
            byte[] content = new byte[entry.size];
            if (Short.toUnsignedInt(jar.getShort(entry.offset + 8)) != DEFLATED) {
                System.arraycopy(bytes, start, content, 0, entry.size);
                return content;
            }
            Inflater inflater = new Inflater(true);
            inflater.setInput(bytes, start, entry.end - start);
            int read = 0;
            while (read < content.length) {
                int more = inflater.inflate(content, read, content.length - read);
                if (more == 0) {
                    throw new DataFormatException("Expected " + entry.size + " bytes of " + entry.name + ", got " + read);
                }
                read += more;
            }
            inflater.end();
            return content;
        }

        static Jar read(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            ByteBuffer jar = little(bytes);
            int end = bytes.length - END_SIZE;
            if (end < 0 || jar.getInt(end) != END) {
                throw new IOException("Expected a jar without a comment, got something else at " + file);
            }
            int count = Short.toUnsignedInt(jar.getShort(end + 10));
            int directory = jar.getInt(end + 16);
            List<Entry> entries = new ArrayList<>();
            int header = directory;
            for (int i = 0; i < count; i++) {
                if (jar.getInt(header) != DIRECTORY_HEADER) {
                    throw new IOException("Expected " + count + " entries in the directory of " + file + ", got " + i);
                }
                int named = Short.toUnsignedInt(jar.getShort(header + 28));
                int next = header
                        + DIRECTORY_HEADER_SIZE
                        + named
                        + Short.toUnsignedInt(jar.getShort(header + 30))
                        + Short.toUnsignedInt(jar.getShort(header + 32));
                String name = new String(bytes, header + DIRECTORY_HEADER_SIZE, named, StandardCharsets.UTF_8);
                int offset = jar.getInt(header + 42);
                // Where the next entry begins; the last one ends where the directory begins.
                int until = i + 1 < count ? jar.getInt(next + 42) : directory;
                if (until <= offset) {
                    throw new IOException("The entries of " + file + " are not in the order of its directory: " + name);
                }
                byte[] copy = Arrays.copyOfRange(bytes, header, next);
                entries.add(new Entry(name, jar.getInt(header + 16), jar.getInt(header + 24), copy, offset, until));
                header = next;
            }
            return new Jar(bytes, directory, entries);
        }
    }
}
