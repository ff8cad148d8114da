package org.diperf.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SecretsTests {

    private static final long SEED = Long.getLong("diperf.seed", 16);

    private final Secrets secrets = new Secrets(Map.of("env:KEY", "open-sesame", "env:PIN", "42"));

    @Test
    void valuesAreHiddenAndShortOnesAreNot() {
        assertThat(secrets.masked("GET /?key=open-sesame&again=open-sesame")).isEqualTo("GET /?key=***&again=***");
        assertThat(secrets.masked("42 calls")).isEqualTo("42 calls");
        String without = "nothing here";
        assertThat(secrets.masked(without)).isSameAs(without);
    }

    @Test
    void aSecretThatBeginsAnotherRevealsNothingOfIt() {
        for (String[] names : new String[][] {{"env:A", "env:B"}, {"env:B", "env:A"}, {"x", "y"}, {"y", "x"}}) {
            Secrets both = new Secrets(Map.of(names[0], "tok-1234", names[1], "tok-1234-and-more"));
            assertThat(both.masked("sent tok-1234-and-more, then tok-1234.")).isEqualTo("sent ***, then ***.");
        }
        assertThat(new Secrets(Map.of("a", "abcdef", "b", "defghi")).masked("<abcdefghi>"))
                .isEqualTo("<***>");
    }

    @Test
    void encodedValuesAreHiddenToo() {
        String value = "pä\"s's w/o&rd\\";
        Secrets one = new Secrets(Map.of("env:P", value));
        String query = URLEncoder.encode(value, StandardCharsets.UTF_8);
        assertThat(one.masked("GET /?p=" + query)).isEqualTo("GET /?p=***");
        assertThat(one.masked("GET /" + query.replace("+", "%20"))).isEqualTo("GET /***");
        assertThat(one.masked("GET /p%C3%A4\"s's%20w/o&rd\\")).isEqualTo("GET /***");
        assertThat(one.masked("{\"p\":\"pä\\\"s's w/o&rd\\\\\"}")).isEqualTo("{\"p\":\"***\"}");
        assertThat(one.masked("sh -c 'pä\"s'\\''s w/o&rd\\'")).isEqualTo("sh -c '***'");
        assertThat(one.masked("<p>pä&quot;s's w/o&amp;rd\\</p>")).isEqualTo("<p>***</p>");
    }

    @Test
    void basicCredentialsAreHiddenWhateverTheUser() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 300; i++) {
            byte[] drawn = new byte[random.nextInt(6, 40)];
            for (int k = 0; k < drawn.length; k++) {
                drawn[k] = (byte) random.nextInt('!', 127);
            }
            String value = new String(drawn, StandardCharsets.US_ASCII);
            String user = "u".repeat(random.nextInt(9));
            String behind = "z".repeat(random.nextInt(3));
            String header = Base64.getEncoder()
                    .encodeToString((user + ":" + value + behind).getBytes(StandardCharsets.US_ASCII));
            String masked = new Secrets(Map.of("env:P", value)).masked("Authorization: Basic " + header);
            assertThat(masked)
                    .as("seed %d, trial %d", SEED, i)
                    .startsWith("Authorization: Basic ")
                    .contains("***");
            String shown = masked.replace("Authorization: Basic ", "").replace("***", "");
            String left = Base64.getEncoder().encodeToString((user + ":").getBytes(StandardCharsets.US_ASCII));
            assertThat(shown.length())
                    .as("seed %d, trial %d: %s", SEED, i, masked)
                    .isLessThanOrEqualTo(left.length() + 4);
        }
    }

    @Test
    void aPieceAtWhichATextWasCutOffIsHidden() {
        Secrets one = new Secrets(Map.of("env:KEY", "correct-horse-battery"));
        assertThat(one.masked("expected a file, got correct-horse-b")).isEqualTo("expected a file, got ***");
        assertThat(one.masked("expected a file, got correct-ho...")).isEqualTo("expected a file, got ***...");
        assertThat(one.masked("expected a file, got correct-ho…")).isEqualTo("expected a file, got ***…");
        assertThat(one.masked("horse-battery is no file")).isEqualTo("*** is no file");
        assertThat(one.masked("that is corr")).isEqualTo("that is corr");
    }

    @Test
    void linesOfASecretOfSeveralLinesAreHidden() {
        Secrets key = new Secrets(Map.of("file:k", "-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n"));
        assertThat(key.masked("unexpected MIIEvQIBADANBg at line 2")).isEqualTo("unexpected *** at line 2");
    }

    @Test
    void severalExperimentsOfOneProcessKeepAllTheirValues() {
        Secrets all =
                secrets.and(new Secrets(Map.of("env:KEY", "another-value"))).and(Secrets.NONE);
        assertThat(all.masked("open-sesame another-value")).isEqualTo("*** ***");
    }

    @Test
    void theyDoNotShowTheirValues() {
        assertThat(secrets.toString()).contains("env:KEY").doesNotContain("sesame");
        assertThat(SecretForm.of("open-sesame").toString()).doesNotContain("sesame");
    }
}
