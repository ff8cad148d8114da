package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class NearestTests {

    private static final List<String> KNOWN = List.of("method", "path", "headers", "body", "body-file");

    @Test
    void theNearestNameIsSuggested() {
        assertThat(Nearest.suggestion("methd", KNOWN)).isEqualTo(". Did you mean 'method'?");
        assertThat(Nearest.suggestion("header", KNOWN)).isEqualTo(". Did you mean 'headers'?");
        assertThat(Nearest.suggestion("body-fiel", KNOWN)).isEqualTo(". Did you mean 'body-file'?");
    }

    @Test
    void nothingIsSuggestedWhereMoreThanAThirdOfTheLettersDiffer() {
        assertThat(Nearest.suggestion("timeout", KNOWN)).isEmpty();
        assertThat(Nearest.suggestion("patois", KNOWN)).isEqualTo("");
        assertThat(Nearest.suggestion("x", List.of())).isEmpty();
    }

    @Test
    void aShortWordThatBeginsAlikeMayDifferInTwoLetters() {
        List<String> keys = List.of("name", "target", "load", "sweep");
        assertThat(Nearest.suggestion("lode", keys)).isEqualTo(". Did you mean 'load'?");
        assertThat(Nearest.suggestion("swipe", keys)).isEqualTo(". Did you mean 'sweep'?");
        assertThat(Nearest.suggestion("code", keys)).isEmpty();
        assertThat(Nearest.suggestion("lo", keys)).isEmpty();
    }

    @Test
    void aDistanceCountsInsertionsDeletionsChangesAndSwapsOnce() {
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("abc", "")).isEqualTo(3);
        assertThat(Nearest.distance("same", "same")).isZero();
        assertThat(Nearest.distance("path", "paths")).isEqualTo(1);
        assertThat(Nearest.distance("path", "bath")).isEqualTo(1);
        assertThat(Nearest.distance("path", "paht")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    }
}
