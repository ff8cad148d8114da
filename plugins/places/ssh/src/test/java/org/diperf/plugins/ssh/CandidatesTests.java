package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ParameterContract;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CandidatesTests {

    private static final LoginSettings ALICE = new LoginSettings("alice", SshConfig.NONE);

    @TempDir
    Path work;

    private static List<Candidate> read(Object candidates) throws IOException {
        return Candidates.read(Parameters.read(List.of(Candidates.KEY), Map.of("candidates", candidates), 1), ALICE);
    }

    @Test
    void theirKeysKeepToTheContract() {
        ParameterContract.check(new SshTestbedPlugin().parameters());
    }

    @Test
    void textsAndMappingsMayBeMixed() throws Exception {
        List<Candidate> read = read(List.of(
                "node1:2022",
                Map.of("host", "node2", "port", 2023L, "user", "bob", "labels", Map.of("site", "lan", "rack", 7))));

        assertThat(read).extracting(Candidate::name).containsExactly("alice@node1:2022", "bob@node2:2023");
        assertThat(read.get(1).labels()).isEqualTo(Map.of("site", "lan", "rack", "7"));
    }

    @Test
    void aFileHasAHostALineWithLabelsAndComments() throws Exception {
        Path file = Files.writeString(
                work.resolve("hosts.txt"), "# our rack\n\nnode1:2022 site=lan rack=7  # the old one\nbob@node2\n");

        List<Candidate> read = read(file.toString());

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
        assertThatThrownBy(() -> read(List.of(Map.of("host", "node1", "prot", 22))))
                .hasToString(
                        "org.diperf.core.spi.Parameters$Unusable: candidates.0.prot expected one of [host, port, user,"
                                + " labels], got 'prot'. Did you mean 'port'?");
    }

    @Test
    void aHostThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> read(List.of("node1", "alice@node1:22"))).hasMessageContaining("alice@node1 twice");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> read("no-such-file.txt")).hasMessageContaining("no-such-file.txt");
    }
}
