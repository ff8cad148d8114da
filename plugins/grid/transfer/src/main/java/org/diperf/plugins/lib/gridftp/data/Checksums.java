package org.diperf.plugins.lib.gridftp.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/** Computes checksums of this side's data as the servers' CKSM does, on a thread of its own. Thread-safe. */
final class Checksums implements AutoCloseable {

    private static final int BUFFER_BYTES = 256 << 10;
    private static final Map<String, String> DIGESTS =
            Map.of("MD5", "MD5", "SHA1", "SHA-1", "SHA256", "SHA-256", "SHA512", "SHA-512");

    private final String algorithm;
    private final ExecutorService thread;
    private final CompletableFuture<String> zeros;

    /**
     * @param algorithm as the servers name it
     * @param zeros how many of them the checksum of an upload without a file covers
     */
    Checksums(String algorithm, long zeros) {
        this.algorithm = algorithm;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "diperf-gridftp-checksums");
            made.setDaemon(true);
            return made;
        });
        this.zeros = CompletableFuture.supplyAsync(() -> of(null, zeros), thread);
    }

    /** Returns the checksum, in lower-case hexadecimal digits, of a file, or of the zeros where there is none. */
    CompletableFuture<String> of(@Nullable Path file) {
        return file == null ? zeros : CompletableFuture.supplyAsync(() -> of(file, Long.MAX_VALUE), thread);
    }

    private String of(@Nullable Path file, long most) {
        byte[] buffer = new byte[BUFFER_BYTES];
        Adler32 adler = new Adler32();
        MessageDigest digest = digest();
        try (InputStream in = file == null ? InputStream.nullInputStream() : Files.newInputStream(file)) {
            long left = most;
            while (left > 0) {
                int count = file == null ? (int) Math.min(left, buffer.length) : in.read(buffer);
                if (count < 0) {
                    break;
                }
                left -= count;
                if (digest == null) {
                    adler.update(buffer, 0, count);
                } else {
                    digest.update(buffer, 0, count);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return digest == null
                ? String.format(Locale.ROOT, "%08x", adler.getValue())
                : HexFormat.of().formatHex(digest.digest());
    }

    private @Nullable MessageDigest digest() {
        String name = DIGESTS.get(algorithm);
        try {
            return name == null ? null : MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
