package org.diperf.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/junit.md} as its readers copy it. */
@Timeout(60)
class JUnitPageTests {

    private static final Path PAGE = Path.of("../../docs/junit.md");

    private static final Pattern CLASS_NAME = Pattern.compile("^(?:public )?class (\\w+)", Pattern.MULTILINE);

    @TempDir
    private Path folder = Path.of("");

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    @Test
    void itsPomIsTheOneThatOwnProjectITBuildsWith() throws IOException {
        assertThat(blocks("xml")).containsExactly(Files.readString(Path.of("../own-project/pom.xml")));
    }

    @Test
    void itsClassesCompileAsTheyAre() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (String source : blocks("java")) {
            Matcher name = CLASS_NAME.matcher(source);
            assertThat(name.find()).as(source).isTrue();
            arguments.add(Files.writeString(folder.resolve(name.group(1) + ".java"), source)
                    .toString());
        }
        assertThat(arguments).anyMatch(argument -> argument.endsWith("OrdersTest.java"));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(String[]::new));
        assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }
}
