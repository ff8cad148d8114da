package org.diperf.analyzer.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class TableTests {

    @TempDir
    Path folder;

    private record Host(String name, int number, double change) {}

    @Test
    void aTextIsNoFormulaAndANumberIsANumber() throws Exception {
        Table<Host> table = Table.of(List.of(
                Column.of("host", Host::name), Column.of("number", Host::number), Column.of("change", Host::change)));
        Path file = folder.resolve("hosts.csv");
        table.write(List.of(new Host("=HYPERLINK(\"http://evil/\")", -5, -0.5), new Host("a\nb", 7, 1)), file);
        assertThat(Files.readAllLines(file))
                .containsExactly("host,number,change", "\"'=HYPERLINK(\"\"http://evil/\"\")\",-5,-0.5", "a b,7,1");
    }
}
