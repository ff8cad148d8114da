package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and responses as people read them. */
@Timeout(30)
class PrintableMessageTests {

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    @Test
    void whatProvesWhoSomebodyIsIsHiddenButNotThatItIsThere() {
        assertThat(PrintableMessage.of(ascii("GET /a HTTP/1.1\r\nHost: h\r\nauthorization: Bearer abc.def\r\n"
                        + "Proxy-Authorization: Basic dTpw\r\nCookie: sid=1; theme=dark\r\n\r\n")))
                .isEqualTo("GET /a HTTP/1.1\r\nHost: h\r\nauthorization: Bearer ***\r\n"
                        + "Proxy-Authorization: Basic ***\r\nCookie: sid=***; theme=***\r\n\r\n");
        assertThat(PrintableMessage.of(ascii("HTTP/1.1 302 Found\r\nLocation: /b\r\n"
                        + "Set-Cookie: sid=12345; Path=/; HttpOnly\r\nContent-Length: 0\r\n\r\n")))
                .isEqualTo("HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: sid=***; Path=/; HttpOnly\r\n"
                        + "Content-Length: 0\r\n\r\n");
    }

    @Test
    void aBodyIsShownAsTheTextThatItStandsFor() throws IOException {
        byte[] packed = gzip("größer als früher");
        String size = Integer.toHexString(packed.length);
        byte[] chunked = joined(
                ascii("HTTP/1.1 500 Oops\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + size
                        + "\r\n"),
                packed,
                ascii("\r\n0\r\n\r\n"));
        assertThat(PrintableMessage.of(chunked)).endsWith("\r\n\r\ngrößer als früher");

        byte[] cut = Arrays.copyOf(chunked, chunked.length - 20);
        assertThat(PrintableMessage.of(cut)).contains("HTTP/1.1 500 Oops");

        byte[] latin = ascii("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\nf\u00fcr");
        assertThat(PrintableMessage.of(latin)).endsWith("für");

        assertThat(PrintableMessage.of(
                        ascii("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")))
                .isEqualTo("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    }

    @Test
    void whatIsNoMessageIsShownAsItIs() {
        assertThat(PrintableMessage.of(ascii("220 ftp ready\r\n"))).isEqualTo("220 ftp ready\r\n");
        assertThat(PrintableMessage.of(new byte[] {0x16, 3, 1, 'x'})).isEqualTo("···x");
    }
}
