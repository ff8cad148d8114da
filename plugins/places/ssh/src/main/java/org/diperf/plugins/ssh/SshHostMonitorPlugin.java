package org.diperf.plugins.ssh;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** The monitor {@code ssh-host}. */
public final class SshHostMonitorPlugin implements MonitorPlugin {

    @Override
    public String id() {
        return "ssh-host";
    }

    @Override
    public String summary() {
        return "a machine reached over ssh: processes, processor time, load, memory, swap, network, disks";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("host", Type.STRING, "the machine: [user@]host[:port]"),
                Parameter.optional(
                        "key",
                        Type.STRING,
                        "private key without a passphrase; default: the keys in the ssh agent (SSH_AUTH_SOCK), or else "
                                + "~/.ssh/id_ed25519, id_ecdsa, id_rsa"),
                SshTestbedPlugin.SSH_CONFIG,
                Parameter.withDefault(
                        "known-hosts", Type.STRING, "~/.ssh/known_hosts", "file with the machines' host keys"),
                Parameter.withDefault(
                                "host-keys",
                                Type.STRING,
                                "strict",
                                "strict refuses machines without a recorded key, accept-new records and trusts the key")
                        .oneOf("strict", "accept-new"),
                Parameter.optional("jump", Type.STRING, "jump host, [user@]host[:port]"),
                Parameter.withDefault(
                        "connect-timeout", Type.DURATION, "10s", "time limit for connecting and logging in"));
    }

    @Override
    public void check(Parameters with) {
        LoginSettings any = new LoginSettings(null, SshConfig.NONE);
        address(with, "host", any);
        if (with.has("jump")) {
            address(with, "jump", any);
        }
    }

    private static Address address(Parameters with, String name, LoginSettings usual) {
        try {
            return Address.parse(with.string(name), usual);
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(name, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Monitor open(MonitorContext context) throws IOException {
        Parameters with = context.with();
        LoginSettings usual = new LoginSettings(null, SshTestbedPlugin.config(with));
        @Nullable String key = with.has("key") ? with.string("key") : null;
        SshConnector access = new SshConnector(new SshConnector.Settings(
                key == null ? null : Paths.expand(key),
                SshTestbedPlugin.agent(System.getenv("SSH_AUTH_SOCK")),
                Paths.expand("~/.ssh"),
                Paths.expand(with.string("known-hosts")),
                with.string("host-keys").equals("accept-new"),
                with.has("jump") ? address(with, "jump", usual) : null,
                usual.config(),
                with.duration("connect-timeout")));
        access.check();
        return new SshHostMonitor(access, address(with, "host", usual));
    }
}
