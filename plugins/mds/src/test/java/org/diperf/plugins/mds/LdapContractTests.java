package org.diperf.plugins.mds;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.AfterEach;

class LdapContractTests extends ClientPluginContract {

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new MdsPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        Directory directory = Directory.plain(3);
        open.add(directory);
        return directory.uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        Script closed = new Script(true);
        closed.close();
        return closed.uri("ldap");
    }

    @Override
    protected URI silentTarget() throws Exception {
        Script silent = new Script(false);
        open.add(silent);
        return silent.uri("ldap");
    }
}
