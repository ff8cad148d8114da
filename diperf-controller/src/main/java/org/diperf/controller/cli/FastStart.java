package org.diperf.controller.cli;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.controller.testbed.ClassArchive;

/**
 * Gives a {@code java -jar} without JVM flags the JVM flags of the launcher, before it has done anything: the process begins again in its place
 * (execv), so that its number, terminal, signals and children are what they were. Where that is not possible it goes on as it is. A JVM
 * without an archive of these classes loads them, so there are no lambdas and no concatenated texts on the way, which take it tens of
 * milliseconds.
 */
final class FastStart {

    /** Names the archive that is to be made of the classes which this process loads. */
    private static final String CLASSES = "diperf.classes";

    /** Commands for which somebody waits, and which are over before the optimising compiler pays for itself. */
    private static final Set<String> SHORT = Set.of("run", "check", "try");

    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final List<String> FLAGS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final byte[] JAR = {'-', 'j', 'a', 'r'};

    private FastStart() {}

    /** Returns where the process goes on as it is. */
    static void begin(String[] args) {
        if (args.length == 0 || !SHORT.contains(args[0]) || asksForHelp(args) || hasFlagsInEnvironment()) {
            return;
        }
        // As bytes: what the locale has no characters for must not be lost.
        try (InputStream line = new FileInputStream("/proc/self/cmdline")) {
            List<byte[]> words = words(line.readAllBytes());
            // The java command puts what files of arguments say among them.
            if (words.size() > args.length && hasPropertiesOnly(words.subList(1, words.size() - args.length))) {
                List<String> flags = flags(args[0].equals("run"));
                if (!flags.isEmpty()) {
                    execute(flags, words);
                }
            }
        } catch (IOException | LinkageError e) {
            // No Linux, or no native code.
            return;
        }
    }

    private static boolean asksForHelp(String[] args) {
        List<String> words = Arrays.asList(args);
        return words.contains("-h") || words.contains("--help");
    }

    private static boolean hasFlagsInEnvironment() {
        for (String name : FLAGS) {
            if (isSet(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSet(String name) {
        String value = System.getenv(name);
        return value != null && !value.isEmpty();
    }

    /** @return none where the JVM shares no classes */
    private static List<String> flags(boolean isRun) throws IOException {
        Optional<ClassArchive> found = ClassArchive.find(jar());
        if (found.isEmpty()) {
            return List.of();
        }
        ClassArchive archive = found.get();
        List<String> flags = new ArrayList<>(archive.use());
        // A job that starts with an empty home would make one every time.
        if (isRun && archive.isMissing() && !isSet("CI")) {
            flags.addAll(archive.list());
            flags.add("-D" + CLASSES + "=" + archive.file());
        }
        if (!flags.isEmpty()) {
            flags.addAll(QUICK);
        }
        return flags;
    }

    private static Path jar() {
        return Path.of(System.getProperty("java.class.path")).toAbsolutePath();
    }

    private static List<byte[]> words(byte[] line) {
        List<byte[]> words = new ArrayList<>();
        for (int from = 0, to = 0; to < line.length; to++) {
            if (line[to] == 0) {
                words.add(Arrays.copyOfRange(line, from, to));
                from = to + 1;
            }
        }
        return words;
    }

    /** Returns whether the words between {@code java} and the arguments are a jar and properties at most. */
    private static boolean hasPropertiesOnly(List<byte[]> words) {
        int jar = words.size() - 2;
        for (int i = 0; i < jar; i++) {
            if (words.get(i).length < 2 || words.get(i)[0] != '-' || words.get(i)[1] != 'D') {
                return false;
            }
        }
        return jar >= 0 && Arrays.equals(words.get(jar), JAR);
    }

    private static void execute(List<String> flags, List<byte[]> before) {
        Charset names = Charset.forName(System.getProperty("sun.jnu.encoding"));
        List<byte[]> words = new ArrayList<>(before);
        for (String flag : flags) {
            words.add(1, flag.getBytes(names));
        }
        // The array ends with no address.
        Memory addresses = new Memory((words.size() + 1L) * Native.POINTER_SIZE);
        addresses.clear();
        List<Memory> texts = new ArrayList<>();
        for (byte[] word : words) {
            Memory text = new Memory(word.length + 1L);
            text.clear();
            text.write(0, word, 0, word.length);
            addresses.setPointer((long) texts.size() * Native.POINTER_SIZE, text);
            texts.add(text);
        }
        // Nothing is looked for where it would ask ldconfig.
        System.setProperty("jna.platform.library.path", "");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        NativeLibrary.getInstance("c").getFunction("execv").invokeInt(new Object[] {java, addresses});
    }

    /** Returns whether an archive is to be made of the classes which this process loads. */
    static boolean listsClasses() {
        return System.getProperty(CLASSES) != null;
    }

    /** Has the archive made of what this process has loaded, if it is to be. */
    static void keepClasses() {
        String file = System.getProperty(CLASSES);
        if (file != null) {
            new ClassArchive(Path.of(file), jar()).make();
        }
    }
}
