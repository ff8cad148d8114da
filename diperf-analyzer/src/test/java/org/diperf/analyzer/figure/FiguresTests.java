package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.diperf.analyzer.ExampleRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

@Timeout(120)
class FiguresTests {

    private static final int LARGEST_BYTES = 1_000_000;

    @ParameterizedTest
    @MethodSource("org.diperf.analyzer.ExampleRuns#names")
    void areWellFormedAndSmallWhateverTheRun(String name)
            throws IOException, SAXException, ParserConfigurationException {
        Figures.Result result = ExampleRuns.drawn(name);

        assertThat(result.problem()).isNull();
        assertThat(result.figures()).isNotEmpty();
        for (Figures.Drawn figure : result.figures()) {
            byte[] svg = figure.svg().getBytes(StandardCharsets.UTF_8);
            Document document = DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg));
            assertThat(document.getDocumentElement().getLocalName()).isEqualTo("svg");
            assertThat(document.getDoctype()).as(figure.name()).isNull();
            assertThat(svg.length).as("SVG of %s", figure.name()).isLessThan(LARGEST_BYTES);
            assertThat(figure.svg()).as(figure.name()).doesNotContain("NaN", "<script");
        }
    }

    @Test
    void aMachineWithoutFontsIsToldFromABugOfOurs() {
        NullPointerException inFontCode = new NullPointerException("head is null");
        inFontCode.setStackTrace(
                new StackTraceElement[] {new StackTraceElement("sun.awt.FontConfiguration", "getVersion", null, 1)});

        assertThat(Figures.isWantOfFonts(new UnsatisfiedLinkError("libfreetype.so.6")))
                .isTrue();
        assertThat(Figures.isWantOfFonts(new RuntimeException("Fontconfig head is null, check your fonts")))
                .isTrue();
        assertThat(Figures.isWantOfFonts(new NoClassDefFoundError("Could not initialize class java.awt.Font")))
                .isTrue();
        assertThat(Figures.isWantOfFonts(new ExceptionInInitializerError(inFontCode)))
                .isTrue();
        assertThat(Figures.isWantOfFonts(new NullPointerException("ours"))).isFalse();
        assertThat(Figures.isWantOfFonts(new IllegalArgumentException("Negative width")))
                .isFalse();
        assertThat(Figures.isWantOfFonts(new NoClassDefFoundError("org/jfree/chart/JFreeChart")))
                .isFalse();
        assertThat(Figures.isWantOfFonts(new InternalError("elsewhere"))).isFalse();
    }
}
