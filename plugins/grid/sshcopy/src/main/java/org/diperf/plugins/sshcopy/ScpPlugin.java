package org.diperf.plugins.sshcopy;

/** Copies files by scp, as {@code scp -O} does: {@code scp://user@host:port/path}. */
public final class ScpPlugin extends CopyPlugin {

    @Override
    public String id() {
        return "scp";
    }

    @Override
    public String summary() {
        return "copies files with scp, one command per file, reusing a log-in or logging in for every file";
    }
}
