package org.diperf.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SecretMaskTests {

    private final SecretMask mask = new SecretMask();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = mask.over(new PrintStream(written, true, StandardCharsets.UTF_8));

    @Test
    void whatIsWrittenInPiecesIsHiddenByTheLine() {
        out.println("before: open-sesame");
        mask.hide(new Secrets(Map.of("env:KEY", "open-sesame")));
        out.print("ö open");
        out.print("-sesame");
        out.println();
        new IllegalStateException("got open-sesame").printStackTrace(out);
        assertThat(text()).startsWith("before: open-sesame\nö ***\njava.lang.IllegalStateException: got ***\n");
    }

    @Test
    void aLineWithoutAnEndGoesOutWhenItIsFlushed() {
        mask.hide(new Secrets(Map.of("env:KEY", "open-sesame")));
        out.print("with open-sesame");
        out.flush();
        assertThat(text()).isEqualTo("with ***");
    }

    @Test
    void aWriterIsMaskedToo() {
        StringWriter shown = new StringWriter();
        PrintWriter print = mask.over(new PrintWriter(shown));
        mask.hide(new Secrets(Map.of("env:KEY", "open-sesame")));
        print.printf("%s%n", "ü open-sesame");
        print.print("open-sesame");
        assertThat(shown).hasToString("ü ***\n");
        print.flush();
        assertThat(shown).hasToString("ü ***\n***");
    }

    /** A title, an overwritten line, a forged colour, the same in eight bits, and a bell: of services, files and testers. */
    @Test
    void nothingControlsTheTerminalButTheProgramItself() {
        String own = SecretMask.ESCAPE + "[31mFAILED" + SecretMask.ESCAPE + "[0m";
        out.print("\r" + SecretMask.ESCAPE + "[K" + own
                + "\tö \u001b]0;x\u0007 \r\u001b[K\u001b[32mVALID \u009b2J \0\u007f\r\n");
        assertThat(text()).isEqualTo("\r\u001b[K\u001b[31mFAILED\u001b[0m\tö ·]0;x· ··[K·[32mVALID ·2J ··\r\n");
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
