package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** One client: a call is one file. Used by its owner's thread alone. */
final class CopyClient implements BlockingClient {

    private static final double NANOS_PER_MILLI = 1e6;

    private final CopySession session;
    private final @Nullable Login[] logins;

    CopyClient(CopySession session) {
        this.session = session;
        this.logins = new Login[session.hosts().size()];
    }

    @Override
    public void call(Call call) throws Exception {
        int target = call.targetIndex();
        Host host = session.hosts().get(target);
        AtomicReference<com.jcraft.jsch.@Nullable Session> opening = new AtomicReference<>();
        ScheduledFuture<?> late = session.atTimeout(() -> {
            com.jcraft.jsch.Session hung = opening.get();
            if (hung != null) {
                hung.disconnect();
            }
        });
        boolean good = false;
        try {
            Login login = login(call, target, host, opening);
            Text path = session.path();
            Text local = session.local();
            String there = host.resolve(path == null ? "" : path.of(call));
            Path here = local == null ? null : Path.of(local.of(call));
            if (session.gets()) {
                get(call, login, there, here);
            } else {
                put(call, login, there, here);
            }
            good = true;
        } catch (JSchException | SftpException | IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("given up");
            }
            call.fail(Failures.of(e, session.complaint(host)));
            good = Failures.leavesLogin(e);
        } finally {
            late.cancel(false);
            if (!good || !session.keepsConnections()) {
                forget(target);
            }
        }
    }

    private Login login(Call call, int target, Host host, AtomicReference<com.jcraft.jsch.@Nullable Session> opening)
            throws JSchException {
        Login login = logins[target];
        if (login != null && login.isOpen()) {
            opening.set(login.session());
            return login;
        }
        forget(target);
        Login made = Login.open(session, host, opening::set);
        logins[target] = made;
        call.firstOnConnection();
        call.metric(CopyPlugin.CONNECT, made.connectNanos() / NANOS_PER_MILLI);
        call.metric(CopyPlugin.LOGIN, made.loginNanos() / NANOS_PER_MILLI);
        return made;
    }

    private void get(Call call, Login login, String there, @Nullable Path here)
            throws JSchException, SftpException, IOException {
        long asked = session.clock().nanoTime();
        try (CopySink received = new CopySink(here, session.clock())) {
            try {
                if (session.isSftp()) {
                    login.sftp().get(Failures.literal(there), received);
                } else {
                    Scp.get(login, there, received);
                }
            } finally {
                call.bytes(received.count());
                if (received.count() > 0) {
                    call.metric(CopyPlugin.FIRST_BYTE, (received.firstNanos() - asked) / NANOS_PER_MILLI);
                }
            }
        }
    }

    private void put(Call call, Login login, String there, @Nullable Path here)
            throws JSchException, SftpException, IOException {
        try (CopySource sent = CopySource.of(here, session.sizeBytes())) {
            try {
                if (session.isSftp()) {
                    login.sftp().put(sent, Failures.literal(there));
                } else {
                    Scp.put(login, there, sent);
                }
            } finally {
                call.bytes(sent.count());
            }
        }
    }

    private void forget(int target) {
        Login login = logins[target];
        if (login != null) {
            login.close();
            logins[target] = null;
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < logins.length; i++) {
            forget(i);
        }
    }
}
