package org.diperf.plugins.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A script of the POSIX shell with the values of its variables. Immutable.
 *
 * @param variables as assignments
 * @param body what it does
 */
record Script(String variables, String body) {

    /** Reads a script that came with this plugin. */
    static Script named(String name) {
        return new Script("", resource(name));
    }

    static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The ssh plugin's jar lacks its script " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a variable. */
    Script with(String name, String value) {
        return new Script(variables + name + "=" + quote(value) + "\n", body);
    }

    /** Puts another script's functions before this one. */
    Script using(String name) {
        return new Script(variables, resource(name) + "\n" + body);
    }

    String text() {
        return variables + body;
    }

    /** Quotes a text so that the shell takes it as it is. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
