package org.diperf.plugins.mds;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.ClientTls;

/** Queries a directory by LDAP: {@code ldap://host:port/base}. */
public final class LdapPlugin extends MdsPlugin {

    @Override
    public String id() {
        return "ldap";
    }

    @Override
    public String summary() {
        return "searches a directory over LDAP";
    }

    @Override
    public Set<String> schemes() {
        return Set.of();
    }

    @Override
    public String exampleTarget() {
        return "ldap://127.0.0.1:389/dc=example,dc=org";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(ldap());
        all.add(SHARED);
        all.addAll(ClientTls.PARAMETERS);
        return List.copyOf(all);
    }

    @Override
    public void check(Url target, Parameters with) {
        Server.ofLdap(target);
        super.check(target, with);
    }
}
