package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What plugins are compiled against, line by line: a change of it shall be meant, and be seen by who reviews it. Types
 * and members that a plugin can neither use nor override are left out.
 */
@Timeout(60)
class SpiSignatureTests {

    private static final Path FILE = Path.of("spi-signature.txt");
    private static final Pattern OF_A_RELEASE = Pattern.compile("spi-signature-(\\d+(?:\\.\\d+)*)\\.txt");

    @Test
    void theInterfaceForPluginsIsAsItWasWrittenDown() throws Exception {
        List<String> found = signature();
        assertThat(found).anyMatch(line -> line.contains("org.diperf.core.spi.BlockingClient"));
        if (Boolean.getBoolean("spi.update")) {
            Files.write(FILE, found);
        }
        assertThat(found)
                .as(
                        "The interface for plugins differs from diperf-core/%s. Plugins that are already built may break:"
                                + " undo the change; or, where it is meant, write the file anew and commit it:"
                                + " mvn test -pl diperf-core -Dtest=SpiSignatureTests -Dspi.update=true",
                        FILE)
                .isEqualTo(Files.readAllLines(FILE));
    }

    @Test
    void whatPluginsOfTheLastReleaseUseIsStillThere() throws Exception {
        Optional<Path> released = lastRelease();
        assumeTrue(released.isPresent(), "nothing has been released yet");
        Path last = released.get();
        List<String> gone = new ArrayList<>(Files.readAllLines(last));
        assertThat(gone).hasSizeGreaterThan(100);
        gone.removeAll(signature());
        assertThat(gone)
                .as(
                        "Plugins built for the release of diperf-core/%s would fail. Keep what is gone, deprecated, until a"
                                + " release that may break them: the next minor version while the major one is 0",
                        last)
                .isEmpty();
    }

    /** Each release leaves its file; see CONTRIBUTING.md. */
    private static Optional<Path> lastRelease() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("."))) {
            return files.map(Path::getFileName)
                    .filter(file -> OF_A_RELEASE.matcher(file.toString()).matches())
                    .max(Comparator.comparing(SpiSignatureTests::version));
        }
    }

    private static ModuleDescriptor.Version version(Path file) {
        Matcher name = OF_A_RELEASE.matcher(file.toString());
        if (!name.matches()) {
            throw new IllegalArgumentException(file.toString());
        }
        return ModuleDescriptor.Version.parse(name.group(1));
    }

    private static List<String> signature() throws IOException, URISyntaxException, ClassNotFoundException {
        TreeSet<String> lines = new TreeSet<>();
        for (Class<?> type : types()) {
            if (isVisible(type)) {
                lines.add(describe(type));
                members(type, lines);
            }
        }
        return new ArrayList<>(lines);
    }

    private static List<Class<?>> types() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(
                Client.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve("org/diperf/core/spi"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.equals("package-info.class")) {
                    types.add(Class.forName("org.diperf.core.spi." + name.substring(0, name.length() - 6)));
                }
            }
        }
        return types;
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return isVisible(type.getModifiers()) && !type.isAnonymousClass() && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static boolean isVisible(Member member) {
        return isVisible(member.getModifiers()) && !member.isSynthetic();
    }

    private static String describe(Class<?> type) {
        // Not Class.toGenericString, which is not the same in every Java.
        StringBuilder line = new StringBuilder(Modifier.toString(type.getModifiers() & ~Modifier.INTERFACE));
        line.append(kind(type)).append(type.getName());
        if (type.getTypeParameters().length > 0) {
            line.append('<').append(names(type.getTypeParameters())).append('>');
        }
        if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
            line.append(" extends ").append(type.getGenericSuperclass().getTypeName());
        }
        if (type.getGenericInterfaces().length > 0) {
            line.append(type.isInterface() ? " extends " : " implements ").append(names(type.getGenericInterfaces()));
        }
        if (type.isSealed()) {
            line.append(" permits ").append(names(type.getPermittedSubclasses()));
        }
        return line.toString();
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return " @interface ";
        }
        return type.isInterface() ? " interface " : type.isEnum() ? " enum " : type.isRecord() ? " record " : " class ";
    }

    private static String names(java.lang.reflect.Type[] types) {
        return Stream.of(types).map(java.lang.reflect.Type::getTypeName).collect(Collectors.joining(", "));
    }

    private static void members(Class<?> type, TreeSet<String> lines) {
        for (Method method : type.getDeclaredMethods()) {
            if (isVisible(method)) {
                Object fallback = method.getDefaultValue();
                String end = fallback == null ? "" : " default \"" + fallback + "\"";
                lines.add(method.toGenericString() + end.replace("\0", "\\0"));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor)) {
                lines.add(constructor.toGenericString());
            }
        }
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field)) {
                lines.add(field.toGenericString());
            }
        }
    }
}
