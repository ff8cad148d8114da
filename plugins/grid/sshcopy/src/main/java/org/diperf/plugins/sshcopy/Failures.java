package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** Says in a few words, the same for equal causes and without names of files, why something failed and whose fault that was. */
final class Failures {

    /** Beside what the system says of connections and of its limits. */
    private static final String[] KNOWN = {
        "timed out", "permission denied", "no such file",
    };

    private Failures() {}

    /**
     * Names a cause.
     *
     * @param complaint why the host's key was refused, {@code null}: it was not
     */
    static Failure of(Exception failure, @Nullable String complaint) {
        String answer = answer(failure, complaint);
        if (answer != null) {
            return Failure.ofService(answer);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (isOfScp(message)) {
                return Failure.ofService(message);
            }
            Optional<Failure> known = Failure.known(cause);
            // Of timeouts JSch says more than one thing.
            if (known.isPresent() && !known.get().kind().contains("timed out")) {
                return known.get();
            }
            if (cause instanceof FileSystemException) {
                return Failure.ofExperiment(ofFile(cause)).in("local file");
            }
            String kind = kind(message);
            if (kind != null) {
                return Failure.ofService(kind);
            }
        }
        return Failure.ofService(failure.getClass().getSimpleName());
    }

    /** Names what the other side said, {@code null} where it said nothing. */
    private static @Nullable String answer(Exception failure, @Nullable String complaint) {
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
        return null;
    }

    /** Names by its class what the message of which is the file's name. */
    private static String ofFile(Throwable cause) {
        return cause instanceof NoSuchFileException
                ? "no such file"
                : cause instanceof AccessDeniedException
                        ? "permission denied"
                        : cause.getClass().getSimpleName();
    }

    /** Returns whether {@link Scp} found this: it says more than the class of its exception. */
    private static boolean isOfScp(String message) {
        return message.startsWith("closed ") || message.startsWith("expected ") || message.startsWith("an endless");
    }

    private static @Nullable String kind(String message) {
        if (message.startsWith("auth fail") || message.startsWith("auth cancel")) {
            return "login refused";
        }
        for (String known : KNOWN) {
            if (message.contains(known)) {
                return known;
            }
        }
        if (message.contains("connection is closed")
                || message.contains("session is down")
                || message.contains("session is already")
                || message.contains("end of io")
                || message.contains("pipe closed")
                || message.contains("inputstream is closed")) {
            return "connection closed";
        }
        return message.contains("invalid server's version") ? "not ssh" : null;
    }

    /** Returns whether the log-in can be used again: the server answered, and said no. */
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
