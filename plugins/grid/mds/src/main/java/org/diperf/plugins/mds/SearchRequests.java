package org.diperf.plugins.mds;

import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** Writes search requests, without message numbers. Those that are the same for every call are made once. Immutable. */
final class SearchRequests {

    private final @Nullable Text base;
    private final Text filter;
    private final SearchScope scope;
    private final List<Text> attributes;
    private final List<Server> servers;
    private final List<byte[]> constant = new ArrayList<>();

    SearchRequests(Parameters with, List<Server> servers) throws LDAPException {
        this.base = with.has("base") ? with.text("base") : null;
        this.filter = with.text("filter");
        this.attributes = with.texts("attributes");
        this.servers = servers;
        this.scope = switch (with.string("scope")) {
            case "base" -> SearchScope.BASE;
            case "one" -> SearchScope.ONE;
            case "subordinate" -> SearchScope.SUBORDINATE_SUBTREE;
            default -> SearchScope.SUB;
        };
        if ((base == null || base.isConstant())
                && filter.isConstant()
                && attributes.stream().allMatch(Text::isConstant)) {
            for (Server server : servers) {
                constant.add(encode(server, SearchRequests::constantText));
            }
        }
    }

    private interface Filled {
        String in(Text text);
    }

    // A constant text does not look at the call, so none is needed; this says so where it is relied on.
    @SuppressWarnings("NullAway")
    private static String constantText(Text text) {
        return text.of(null);
    }

    /**
     * Checks what does not differ from call to call.
     *
     * @throws IllegalArgumentException when it cannot be used
     */
    static void check(Server server, Parameters with) {
        String base = server.path();
        if (with.has("base") && with.text("base").isConstant()) {
            base = constantText(with.text("base"));
        }
        if (!DN.isValidDN(base)) {
            throw new IllegalArgumentException(
                    "base: expected a DN such as mds-vo-name=local,o=grid, got '" + base + "'");
        }
        if (with.text("filter").isConstant()) {
            String filter = constantText(with.text("filter"));
            try {
                Filter.create(filter);
            } catch (LDAPException e) {
                throw new IllegalArgumentException(
                        "filter: expected a filter such as (objectClass=GlueCE), got '" + filter + "': "
                                + e.getMessage(),
                        e);
            }
        }
        if (with.has("password") && !with.has("bind-dn")) {
            throw new IllegalArgumentException("password: expected bind-dn too, got none");
        }
        if (with.bool("start-tls") && server.isSecure()) {
            throw new IllegalArgumentException(
                    "start-tls: expected an ldap:// target, got ldaps://, which already uses TLS; drop one");
        }
    }

    /**
     * Returns the request of a call.
     *
     * @throws LDAPException when a text that was filled in is no filter
     */
    byte[] of(Call call) throws LDAPException {
        int target = call.targetIndex();
        return constant.isEmpty() ? encode(servers.get(target), text -> text.of(call)) : constant.get(target);
    }

    private byte[] encode(Server server, Filled filled) throws LDAPException {
        List<String> names = new ArrayList<>(attributes.size());
        for (Text attribute : attributes) {
            names.add(filled.in(attribute));
        }
        return new SearchRequestProtocolOp(
                        base == null ? server.path() : filled.in(base),
                        scope,
                        DereferencePolicy.NEVER,
                        0,
                        0,
                        false,
                        Filter.create(filled.in(filter)),
                        names)
                .encodeProtocolOp()
                .encode();
    }
}
