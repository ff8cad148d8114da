package org.diperf.plugins.mds;

import java.net.URI;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

class LdapContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new MdsPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        return untilTheEnd(Directory.plain(3)).uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        return Script.closed("ldap");
    }

    @Override
    protected URI silentTarget() throws Exception {
        return untilTheEnd(new Script(false)).uri("ldap");
    }
}
