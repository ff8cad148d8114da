package org.diperf.core.wire;

/**
 * A plugin's jar that a tester must have.
 *
 * @param name file name without folders
 * @param sha256 of its content, 64 lower-case hexadecimal digits
 */
public record PluginJar(String name, String sha256) {}
