package org.diperf.core.plugin;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads one plugin jar: what the jar holds comes before what the host holds, so that a plugin keeps its own versions of
 * its libraries. Shared with the host are the JDK, the SPI and the logging facade alone.
 */
final class JarLoader extends URLClassLoader {

    private static final List<String> SHARED =
            List.of("java.", "org.diperf.core.spi.", "org.slf4j.", "org.jspecify.annotations.");
    private static final String SERVICES = "META-INF/services/org.diperf.";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader host;

    JarLoader(URL jar, ClassLoader host) {
        super("plugin " + jar.getPath(), new URL[] {jar}, host);
        this.host = host;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                found = SHARED.stream().anyMatch(name::startsWith) ? host.loadClass(name) : ownFirst(name);
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    private Class<?> ownFirst(String name) throws ClassNotFoundException {
        try {
            return ClassLoader.getPlatformClassLoader().loadClass(name);
        } catch (ClassNotFoundException notOfTheJdk) {
            try {
                return findClass(name);
            } catch (ClassNotFoundException notInTheJar) {
                return host.loadClass(name);
            }
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : host.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> all = new ArrayList<>(Collections.list(findResources(name)));
        // The host's own plugins are no plugins of this jar.
        if (!name.startsWith(SERVICES)) {
            all.addAll(Collections.list(host.getResources(name)));
        }
        return Collections.enumeration(all);
    }
}
