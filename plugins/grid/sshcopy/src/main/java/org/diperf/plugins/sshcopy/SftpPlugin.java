package org.diperf.plugins.sshcopy;

/** Copies files by SFTP: {@code sftp://user@host:port/path}. */
public final class SftpPlugin extends CopyPlugin {

    @Override
    public String id() {
        return "sftp";
    }

    @Override
    public String summary() {
        return "copies files over SFTP, reusing a log-in or logging in for every file";
    }
}
