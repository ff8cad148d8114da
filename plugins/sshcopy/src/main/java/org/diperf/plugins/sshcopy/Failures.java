package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import java.util.Locale;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** Says in few words, the same for equal causes and without names of files, why something failed. */
final class Failures {

    private static final String[] KNOWN = {
        "connection refused",
        "connection reset",
        "no route to host",
        "network is unreachable",
        "too many open files",
        "timed out",
        "no space left on device",
        "permission denied",
        "no such file",
    };

    private Failures() {}

    /**
     * Names a cause, and says whose fault it was: what the server did not answer with is this side's where it is of a file.
     *
     * @param complaint why the host's key was refused, {@code null}: it was not
     */
    static Failure of(Exception failure, @Nullable String complaint) {
        String kind = kind(failure, complaint);
        if ((failure instanceof SftpException sftp && isAnswer(sftp)) || failure instanceof Scp.RefusedException) {
            return Failure.ofService(kind);
        }
        return switch (kind) {
            case "too many open files", "no space left on device" -> Failure.ofGenerator(kind);
            case "permission denied", "no such file" -> Failure.ofExperiment(kind);
            default -> Failure.ofService(kind);
        };
    }

    private static String kind(Exception failure, @Nullable String complaint) {
        if (failure instanceof JSchException && complaint != null) {
            return "host key: " + complaint;
        }
        if (failure instanceof SftpException sftp && isAnswer(sftp)) {
            return switch (sftp.id) {
                case ChannelSftp.SSH_FX_NO_SUCH_FILE -> "sftp: no such file";
                case ChannelSftp.SSH_FX_PERMISSION_DENIED -> "sftp: permission denied";
                case ChannelSftp.SSH_FX_OP_UNSUPPORTED -> "sftp: not supported";
                default -> "sftp: status " + sftp.id;
            };
        }
        if (failure instanceof Scp.RefusedException) {
            return "scp: " + String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (message.startsWith("auth fail") || message.startsWith("auth cancel")) {
                return "login refused";
            }
            for (String known : KNOWN) {
                if (message.contains(known)) {
                    return known;
                }
            }
            if (message.contains("broken pipe")) {
                // What a write finds where a read finds a reset.
                return "connection reset";
            }
            if (message.startsWith("closed ") || message.startsWith("wanted ") || message.startsWith("an endless")) {
                return message;
            }
            if (message.contains("connection is closed")
                    || message.contains("session is down")
                    || message.contains("session is already")
                    || message.contains("end of io")
                    || message.contains("pipe closed")
                    || message.contains("inputstream is closed")) {
                return "connection closed";
            }
            if (message.contains("invalid server's version")) {
                return "not ssh";
            }
        }
        return failure.getClass().getSimpleName();
    }

    /** Says whether the log-in can be used again: the server answered, and said no. */
    static boolean leavesLogin(Exception failure) {
        return failure instanceof Scp.RefusedException || (failure instanceof SftpException sftp && isAnswer(sftp));
    }

    private static boolean isAnswer(SftpException failure) {
        // JSch says the same of what it could not read or write itself, and then names the cause.
        return failure.getCause() == null
                && (failure.id != ChannelSftp.SSH_FX_FAILURE
                        || !String.valueOf(failure.getMessage()).isEmpty());
    }

    /** Writes a path so that JSch takes none of it for a pattern. */
    static String literal(String path) {
        return path.replaceAll("([\\\\*?])", "\\\\$1");
    }
}
