package org.diperf.tester.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.diperf.core.wire.PluginJar;

/** Compares the plugin jars that are wanted with those that are here, by content: copies may have other names. */
public final class JarCheck {

    private JarCheck() {}

    /** Returns name and digest of a jar. */
    public static PluginJar of(Path jar) throws IOException {
        try (InputStream content = Files.newInputStream(jar)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
            Path name = jar.getFileName();
            return new PluginJar(
                    name == null ? "" : name.toString(), HexFormat.of().formatHex(digest.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no SHA-256", e);
        }
    }

    /** Says what is missing or different; empty when all that is wanted is here and equal. */
    static Optional<String> difference(List<PluginJar> wanted, List<Path> here) throws IOException {
        List<PluginJar> found = new ArrayList<>();
        for (Path jar : here) {
            found.add(of(jar));
        }
        for (PluginJar jar : wanted) {
            if (found.stream().noneMatch(each -> each.sha256().equals(jar.sha256()))) {
                String others = found.stream()
                        .filter(each -> each.name().equals(jar.name()))
                        .map(PluginJar::sha256)
                        .collect(Collectors.joining(" and "));
                return Optional.of("Expected the plugin jar '" + jar.name() + "' with SHA-256 " + jar.sha256()
                        + (others.isEmpty()
                                ? ", got no such jar: pass it with --plugin"
                                : ", got SHA-256 " + others + ": copy the controller's jar to this tester"));
            }
        }
        return Optional.empty();
    }
}
