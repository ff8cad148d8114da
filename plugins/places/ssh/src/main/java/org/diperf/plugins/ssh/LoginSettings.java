package org.diperf.plugins.ssh;

import org.jspecify.annotations.Nullable;

/**
 * As whom and where to log in to a host, where its own text does not say it.
 *
 * @param user that the experiment names for all hosts, {@code null}: none
 * @param config of the user's ssh
 */
record LoginSettings(@Nullable String user, SshConfig config) {

    /** @throws IllegalArgumentException when the configuration cannot be used for it */
    String user(String host) {
        if (user != null) {
            return user;
        }
        String configured = config.of(host, null).user();
        return configured == null ? System.getProperty("user.name") : configured;
    }

    /** @throws IllegalArgumentException when the configuration cannot be used for it */
    int port(String host) {
        int configured = config.of(host, user).port();
        return configured == 0 ? Address.DEFAULT_PORT : configured;
    }
}
