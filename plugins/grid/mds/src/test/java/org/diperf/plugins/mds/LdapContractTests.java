package org.diperf.plugins.mds;

import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class LdapContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new MdsPlugin();
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(Directory.plain(3)).uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        return Script.closed("ldap");
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(new Script(false)).uri("ldap");
    }
}
