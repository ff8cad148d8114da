package org.diperf.core.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A target's real and kept inputs, each changed at a few places at random: what every run of the unit tests tries, without a search and
 * its JVM. The same ones each time, whose number {@link Fuzz#changed} says. One that is found is kept as the fuzzer keeps its own.
 */
final class ChangedInputs implements ArgumentsProvider, InvocationInterceptor {

    /** Other numbers make other inputs: {@code -Ddiperf.changed.seed=N}. */
    private static final long SEED = Long.getLong("diperf.changed.seed", 1);

    private static final int MAX_CHANGES = 4;
    private static final int MAX_BYTES = 64;
    private static final byte[] TELLING = {0, 1, -1, 127, -128, ' ', '\r', '\n', '"', '<', ':', '9'};

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context)
            throws Exception {
        if (FuzzRun.searches()) {
            return Stream.empty();
        }
        List<byte[]> inputs = inputs(context.getRequiredTestClass(), context.getRequiredTestMethod());
        int changed = context.getRequiredTestMethod().getAnnotation(Fuzz.class).changed();
        return IntStream.range(0, changed)
                .mapToObj(number -> Arguments.argumentSet("changed, " + number, (Object)
                        changed(inputs, new SplittableRandom(SEED * 1_000_003 + number))));
    }

    private static List<byte[]> inputs(Class<?> target, Method method)
            throws ReflectiveOperationException, IOException {
        List<byte[]> inputs = new ArrayList<>();
        for (String name : method.getAnnotation(MethodSource.class).value()) {
            Method source = target.getDeclaredMethod(name);
            source.setAccessible(true);
            try (Stream<?> real = (Stream<?>) source.invoke(null)) {
                real.forEach(input -> inputs.add((byte[]) input));
            }
        }
        URL kept = target.getResource(folder(target, method));
        if (kept != null) {
            try (Stream<Path> files = Files.list(Path.of(kept.toURI()))) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            } catch (URISyntaxException e) {
                throw new IOException(e);
            }
        }
        return inputs;
    }

    private static String folder(Class<?> target, Method method) {
        return target.getSimpleName() + "Inputs/" + method.getName();
    }

    private static byte[] changed(List<byte[]> inputs, SplittableRandom random) {
        byte[] bytes = inputs.get(random.nextInt(inputs.size())).clone();
        for (int change = random.nextInt(1, MAX_CHANGES + 1); change > 0; change--) {
            int at = random.nextInt(bytes.length + 1);
            int length = random.nextInt(1, MAX_BYTES + 1);
            byte[] other = inputs.get(random.nextInt(inputs.size()));
            int from = random.nextInt(other.length + 1);
            bytes = switch (random.nextInt(6)) {
                case 0 -> with(bytes, at, 1, new byte[] {(byte) random.nextInt()});
                case 1 -> with(bytes, at, 1, new byte[] {TELLING[random.nextInt(TELLING.length)]});
                case 2 -> with(bytes, at, length, new byte[0]);
                case 3 -> with(bytes, at, 0, part(other, from, length));
                case 4 -> with(bytes, at, length, part(other, from, length));
                default -> part(bytes, 0, at);
            };
        }
        return bytes;
    }

    private static byte[] part(byte[] bytes, int from, int length) {
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + length));
    }

    /** Puts a piece in the place of so many bytes, or of those that are left. */
    private static byte[] with(byte[] bytes, int at, int instead, byte[] piece) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length + piece.length);
        all.write(bytes, 0, at);
        all.writeBytes(piece);
        int rest = Math.min(bytes.length, at + instead);
        all.write(bytes, rest, bytes.length - rest);
        return all.toByteArray();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        // A target may change its input.
        byte[] input = ((byte[]) call.getArguments().get(0)).clone();
        try {
            invocation.proceed();
        } catch (Throwable t) {
            if (context.getDisplayName().contains("changed, ")) {
                keep(input, context.getRequiredTestClass(), call.getExecutable());
            }
            throw t;
        }
    }

    private static void keep(byte[] input, Class<?> target, Method method) throws IOException {
        Path folder = Path.of("src/test/resources")
                .resolve(target.getPackageName().replace('.', '/'))
                .resolve(folder(target, method));
        Files.createDirectories(folder);
        Files.write(folder.resolve("crash-changed-" + Integer.toHexString(Arrays.hashCode(input))), input);
    }
}
