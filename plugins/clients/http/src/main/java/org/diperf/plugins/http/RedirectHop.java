package org.diperf.plugins.http;

import org.diperf.plugins.lib.netty.HttpTarget;
import org.jspecify.annotations.Nullable;

/**
 * A request to which a redirect leads.
 *
 * @param to where it goes, with the path
 * @param method its method
 * @param withBody whether it still carries the body
 * @param crossed whether its server is another than the one that was called, which must not see credentials
 * @param cookies those of the client that are for its server; {@code null}: none
 */
record RedirectHop(
        HttpTarget to,
        String method,
        boolean withBody,
        boolean crossed,
        @Nullable String cookies) {}
