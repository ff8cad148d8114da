package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CandidatesTests {

    private static final LogIns ALICE = new LogIns("alice", SshConfig.NONE);

    @TempDir
    Path work;

    @Test
    void textsAndMappingsMayBeMixed() throws Exception {
        List<Candidate> read = Candidates.read(
                List.of(
                        "node1:2022",
                        Map.of(
                                "host",
                                "node2",
                                "port",
                                2023L,
                                "user",
                                "bob",
                                "labels",
                                Map.of("site", "lan", "rack", 7))),
                ALICE);

        assertThat(read).extracting(Candidate::name).containsExactly("alice@node1:2022", "bob@node2:2023");
        assertThat(read.get(1).labels()).isEqualTo(Map.of("site", "lan", "rack", "7"));
    }

    @Test
    void aFileHasAHostALineWithLabelsAndComments() throws Exception {
        Path file = Files.writeString(
                work.resolve("hosts.txt"), "# our rack\n\nnode1:2022 site=lan rack=7  # the old one\nbob@node2\n");

        List<Candidate> read = Candidates.read(file.toString(), ALICE);

        assertThat(read).extracting(Candidate::name).containsExactly("alice@node1:2022", "bob@node2");
        assertThat(read.get(0).labels()).containsExactly(Map.entry("site", "lan"), Map.entry("rack", "7"));
    }

    @Test
    void aFaultInAFileIsNamedByItsLine() throws Exception {
        Path file = Files.writeString(work.resolve("hosts.txt"), "node1\nnode2 site\n");

        assertThatThrownBy(() -> Candidates.file(file, ALICE))
                .hasMessageContaining("hosts.txt line 2: expected label=value");
    }

    @Test
    void aMisspeltKeyIsNamedWithTheOneThatWasMeant() {
        assertThatThrownBy(() -> Candidates.read(List.of(Map.of("host", "node1", "prot", 22)), ALICE))
                .hasMessageContaining("testbed.candidates.0")
                .hasMessageContaining("Did you mean 'port'?");
    }

    @Test
    void aHostThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> Candidates.read(List.of("node1", "alice@node1:22"), ALICE))
                .hasMessageContaining("alice@node1 twice");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Candidates.read("no-such-file.txt", ALICE)).hasMessageContaining("no-such-file.txt");
    }
}
