package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
class RegexTests {

    private static final int MIB = 1 << 20;

    @Test
    void findsWhatJavasExpressionsFind() {
        Matcher found = Regex.compile("(?<=id=)(?<id>[0-9]+)").find("a=1&id=42&id=43");
        assertThat(found).isNotNull();
        assertThat(found.group("id")).isEqualTo("42");
        assertThat(Regex.compile("id").matches("id=42")).isNull();
        assertThat(Regex.compile("id=([0-9]+)").matches("id=42")).isNotNull();
        assertThat(Regex.compile("x").find("id=42")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"v=(a+);", "<input[^>]*>|v=(a+);", "(?i)(?:one|two|three|four|five|six|seven|V)=(A+);"})
    void finishesWhatIsLinearHoweverLongTheTextIs(String linear) {
        Matcher found = Regex.compile(linear).find("v=" + "a".repeat(MIB - 3) + ";");
        assertThat(found).isNotNull();
        assertThat(found.group(1)).hasSize(MIB - 3);
    }

    @ParameterizedTest
    @CsvSource({".*id=([0-9]+)", "a+b", "(a+)+b", "(a|aa)+b", "(?=(a+))a*b\\1", "(.*)(.*)(.*)(.*)b"})
    void givesUpWhatIsNotByTheGeneratorsFault(String costly) {
        String text = costly.equals("a+b") || costly.startsWith(".*id") ? "a".repeat(MIB) : "a".repeat(4_000);
        assertThatThrownBy(() -> Regex.compile(costly).find(text)).satisfies(thrown -> {
            Failure failure = Failure.of(thrown);
            assertThat(failure.fault()).isEqualTo(Fault.GENERATOR);
            assertThat(failure.kind()).isEqualTo("regular expression takes too many steps: " + costly);
            assertThat(failure.remedy()).isNotEmpty();
        });
    }

    @Test
    void givesUpWhatTakesMoreStackThanThereIs() {
        assertThatThrownBy(() -> Regex.compile("(?:x|y)*!").matches("x".repeat(MIB)))
                .satisfies(thrown -> assertThat(Failure.of(thrown).kind()).contains("(?:x|y)*!"));
    }

    @Test
    void refusesWhatIsNoExpression() {
        assertThatThrownBy(() -> Regex.compile("("))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a regular expression, got '(': Unclosed group");
    }
}
