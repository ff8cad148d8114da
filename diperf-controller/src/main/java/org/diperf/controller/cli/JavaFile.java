package org.diperf.controller.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.diperf.core.spi.JavaJourney;

/**
 * A journey in one Java file, compiled to a jar that is a plugin like others: testers get it as they get plugins. The same file gives the
 * same bytes.
 */
final class JavaFile {

    /** Testers may run on an older Java than the controller. */
    private static final String RELEASE = "17";

    private static final int MAX_ERRORS = 10;
    private static final LocalDateTime ANY_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

    private JavaFile() {}

    /** Returns whether a file is Java by its name. */
    static boolean isOne(Path file) {
        return file.toString().endsWith(".java");
    }

    /**
     * Compiles a file.
     *
     * @param folder in which the jar is made
     * @param libraries jars of plugins, whose classes it may use
     * @return the jar
     * @throws UsageException when it cannot be compiled, or is no journey
     */
    static Path compile(Path file, Path folder, List<Path> libraries) throws UsageException, IOException {
        if (!Files.isRegularFile(file)) {
            throw new UsageException(file + ": expected a Java file, got none with that name; check the path");
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new UsageException(file
                    + ": expected a JDK (a journey in Java needs its compiler), got a Java runtime without one in "
                    + System.getProperty("java.home") + "; install JDK 17 or later and run diperf with that Java");
        }
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.java$", "");
        Path classes = Files.createDirectories(folder.resolve("classes-" + name));
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StringWriter other = new StringWriter();
        String classPath = Stream.concat(
                        Stream.of(System.getProperty("java.class.path")),
                        libraries.stream().map(Path::toString))
                .collect(Collectors.joining(File.pathSeparator));
        boolean compiled;
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-g", "--release", RELEASE, "-proc:none", "-d", classes.toString(), "-classpath", classPath);
            compiled = compiler.getTask(other, files, found, options, null, files.getJavaFileObjects(file))
                    .call();
        }
        if (!compiled) {
            throw new UsageException(errors(file, found, other.toString()));
        }
        Path jar = folder.resolve(name + ".jar");
        pack(classes, journeyIn(classes, file, libraries), jar);
        return jar;
    }

    private static String errors(Path file, DiagnosticCollector<JavaFileObject> found, String other) {
        List<String> lines = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR && lines.size() < MAX_ERRORS) {
                lines.add(file + ":" + each.getLineNumber() + ":" + each.getColumnNumber() + ": "
                        + each.getMessage(Locale.ROOT).replace("\n", "\n  "));
            }
        }
        return file + ": expected a file that Java " + RELEASE + " can compile, got errors\n"
                + (lines.isEmpty() ? other.strip() : String.join("\n", lines));
    }

    /** Finds the class that is the journey. */
    private static String journeyIn(Path classes, Path file, List<Path> libraries) throws UsageException, IOException {
        List<URL> urls = new ArrayList<>(List.of(url(classes)));
        for (Path library : libraries) {
            urls.add(url(library));
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), JavaFile.class.getClassLoader())) {
            List<String> journeys = new ArrayList<>();
            for (String type : compiledIn(classes).keySet()) {
                Class<?> made = Class.forName(type, false, loader);
                if (JavaJourney.class.isAssignableFrom(made)
                        && Modifier.isPublic(made.getModifiers())
                        && !Modifier.isAbstract(made.getModifiers())) {
                    var unused = made.getConstructor();
                    journeys.add(type);
                }
            }
            if (journeys.size() != 1) {
                throw new UsageException(file + ": expected one public class that implements "
                        + JavaJourney.class.getName() + ", got " + (journeys.isEmpty() ? "none" : journeys));
            }
            return journeys.get(0);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new UsageException(file + ": expected classes that can be loaded, got " + e);
        } catch (NoSuchMethodException e) {
            throw new UsageException(file + ": expected a public constructor without arguments, got none");
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    /** Lists the class files by the names of their classes. */
    private static TreeMap<String, Path> compiledIn(Path classes) throws IOException {
        TreeMap<String, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(each).toString();
                found.put(name.replaceFirst("\\.class$", "").replace(File.separatorChar, '.'), each);
            }
        }
        return found;
    }

    private static void pack(Path classes, String journey, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            put(zip, "META-INF/services/" + JavaJourney.class.getName(), journey.getBytes(StandardCharsets.UTF_8));
            for (var each : compiledIn(classes).entrySet()) {
                put(zip, each.getKey().replace('.', '/') + ".class", Files.readAllBytes(each.getValue()));
            }
        }
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(ANY_TIME);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }
}
