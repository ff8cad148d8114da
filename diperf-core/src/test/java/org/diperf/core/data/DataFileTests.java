package org.diperf.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class DataFileTests {

    @TempDir
    Path folder;

    private DataFile file(String text) throws IOException {
        return DataFile.open(Files.writeString(folder.resolve("users.csv"), text));
    }

    @Test
    void theFirstRowNamesTheColumns() throws IOException {
        DataFile file = file("name, password\nann,a1\nbob,b 2\n");
        assertThat(file.columns()).containsExactly("name", "password");
        assertThat(file.rows()).isEqualTo(2);
        assertThat(file.row(0)).containsExactly("ann", "a1");
        assertThat(file.row(1)).containsExactly("bob", "b 2");
    }

    @Test
    void quotesKeepCommasQuotesAndLineBreaks() throws IOException {
        DataFile file = file("a,b\r\n\"x,\"\"y\"\"\",\"one\r\ntwo\"\r\n\r\n\"\",z");
        assertThat(file.rows()).isEqualTo(2);
        assertThat(file.row(0)).containsExactly("x,\"y\"", "one\r\ntwo");
        assertThat(file.row(1)).containsExactly("", "z");
    }

    @Test
    void textThatIsNotUtf8IsRefusedWithItsPlace() throws IOException {
        Path latin = Files.write(
                folder.resolve("latin.csv"),
                "name,town\nann,\"x\ny\"\nJürgen,z\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> DataFile.open(latin))
                .hasMessageStartingWith(latin + ", line 4, column 2: expected text in UTF-8, got byte 0x");
        Path zip = Files.write(folder.resolve("users.zip"), new byte[] {'P', 'K', 3, 4, 20, 0});
        assertThatThrownBy(() -> DataFile.open(zip)).hasMessageContaining("got a zip file; unpack it first");
    }

    @Test
    void aByteOrderMarkAndOtherLettersAreRead() throws IOException {
        DataFile file = file("\uFEFFname\nJürgen\n東京\n");
        assertThat(file.columns()).containsExactly("name");
        assertThat(file.row(0)).containsExactly("Jürgen");
        assertThat(file.row(1)).containsExactly("東京");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,b;1,2;3|line 3: expected 2 values, one for each of [a, b], got 1",
                "a,b;1,2,3|line 2: expected 2 values, one for each of [a, b], got 3",
                "a,a;1,2|expected unique column names, got 'a' twice",
                "a,;1,2|expected column names of letters, digits, underscores and hyphens, got ''",
                "a;\"1|line 2: expected a closing quote, got the end of the file",
                "a;x\"1|line 2: expected quotes around the whole value",
                "a;\"x\"1|line 2: expected a comma or the end of the row after a closing quote",
                "a|expected rows after the header row, got none",
                ";|expected a header row with column names, got an empty file"
            })
    void aFaultIsToldWithItsLine(String text, String wanted) {
        assertThatThrownBy(() -> file(text.replace(';', '\n')))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("users.csv")
                .hasMessageContaining(wanted);
    }

    @Test
    void aFileThatIsNotThereIsTold() {
        assertThatThrownBy(() -> DataFile.open(folder.resolve("none.csv")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("none.csv: expected a data file, got none; check the path");
    }

    @Test
    void everyRowIsFoundByItsNumber() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String[]> rows = new ArrayList<>();
        StringBuilder text = new StringBuilder("n,v\n");
        for (int i = 0; i < 1_000; i++) {
            String[] row = {
                String.valueOf(i),
                random.ints(random.nextInt(30), 0, 6)
                        .mapToObj(letter -> String.valueOf("ab,\"\nü".charAt(letter)))
                        .reduce("", String::concat)
            };
            rows.add(row);
            text.append(row[0])
                    .append(",\"")
                    .append(row[1].replace("\"", "\"\""))
                    .append("\"\n");
        }
        DataFile file = file(text.toString());
        assertThat(file.rows()).isEqualTo(1_000);
        for (int i = 0; i < 2_000; i++) {
            int number = random.nextInt(1_000);
            assertThat(file.row(number)).as("row %d, seed %d", number, seed).containsExactly(rows.get(number));
        }
    }
}
