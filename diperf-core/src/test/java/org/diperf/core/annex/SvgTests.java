package org.diperf.core.annex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken of drawings: shapes and texts, and nothing that acts or refers to anything. */
@Timeout(60)
class SvgTests {

    private final StringBuilder taken = new StringBuilder();

    private int read(String inner) throws IOException {
        return Svg.read("<svg xmlns='http://www.w3.org/2000/svg' width='9'>" + inner + "</svg>", new Svg.Sink() {
            @Override
            public void open(String element, Map<String, String> attributes) {
                taken.append('<').append(element).append(attributes.isEmpty() ? "" : new TreeMap<>(attributes));
                taken.append('>');
            }

            @Override
            public void text(String text) {
                taken.append(text);
            }

            @Override
            public void close(String element) {
                taken.append("</>");
            }
        });
    }

    @Test
    void shapesAndTextsAreTaken() throws IOException {
        assertThat(read("<g><path d='M1 2' data-load='a b'/><text x='1'>one &lt; two</text></g>"))
                .isZero();
        assertThat(taken).hasToString("<svg{width=9}><g><path{d=M1 2, data-load=a b}></><text{x=1}>one < two</></></>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<style>* { background: url(http://x) }</style>",
                "<foreignObject><rect/><script/></foreignObject>",
                "<image href='http://x'/>",
                "<use href='#a'/>",
                "<a href='javascript:alert(1)'><text>x</text></a>",
                "<animate attributeName='d'/>",
                "<svg><rect/></svg>",
                "<SCRIPT/>",
                "<x:script xmlns:x='http://www.w3.org/1999/xhtml'/>"
            })
    void otherElementsAreLeftOutWithWhatIsInThem(String inner) throws IOException {
        assertThat(read(inner + "<rect/>")).isPositive();
        assertThat(taken).hasToString("<svg{width=9}><rect></></>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "onload='alert(1)'",
                "style='background:red'",
                "href='#a'",
                "xlink:href='#a' xmlns:xlink='http://www.w3.org/1999/xlink'",
                "fill='url(#a)'",
                "fill='URL(#a)'",
                "fill='a:b'",
                "class='badge'",
                "id='figures'",
                "d='\"&gt;&lt;script&gt;'"
            })
    void otherAttributesAreLeftOut(String attribute) throws IOException {
        assertThat(read("<rect " + attribute + "/>")).isPositive();
        assertThat(taken).hasToString("<svg{width=9}><rect></></>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no drawing", "<html/>", "<svg><g></svg>", "<svg", "<svg/><svg/>"})
    void whatIsNoDrawingIsRefused(String text) {
        assertThatThrownBy(() -> Svg.read(text, new Svg.Sink() {
                    @Override
                    public void open(String element, Map<String, String> attributes) {}

                    @Override
                    public void text(String text) {}

                    @Override
                    public void close(String element) {}
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void entitiesAreNeitherReadNorExpanded() throws IOException {
        String outside = "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/hostname'><!ENTITY b 'bbbb'>]>";
        try {
            Svg.read(outside + "<svg><text>&a;&b;</text></svg>", new Svg.Sink() {
                @Override
                public void open(String element, Map<String, String> attributes) {}

                @Override
                public void text(String text) {
                    taken.append(text);
                }

                @Override
                public void close(String element) {}
            });
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("expected an SVG drawing");
        }
        assertThat(taken).isEmpty();
    }
}
