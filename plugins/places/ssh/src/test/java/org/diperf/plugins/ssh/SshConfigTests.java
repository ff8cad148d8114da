package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ssh_config(5) says of the order, the patterns and the files that are included. */
class SshConfigTests {

    @TempDir
    Path home;

    private SshConfig read(String text) throws IOException {
        Path folder = Files.createDirectories(home.resolve(".ssh"));
        return SshConfig.read(Files.writeString(folder.resolve("config"), text), folder);
    }

    @Test
    void theFirstValueOfAKeywordCountsAndKeysAddUp() throws IOException {
        SshConfig config = read("""
                # comments, = and quotes are as for ssh
                User=first
                Host node*  !node9
                    User second
                    Port = 2022
                    IdentityFile "%d/key of %r at %h"   # a comment
                Host *
                    HostName %h.example.org
                    Port 2023
                    IdentityFile %d/other
                    IdentityFile none
                """);
        SshConfig.Entry node = config.of("node1", null);

        assertThat(node.user()).isEqualTo("first");
        assertThat(node.port()).isEqualTo(2022);
        assertThat(node.hostName()).isEqualTo("node1.example.org");
        assertThat(node.keys())
                .containsExactly(home.resolve("key of first at node1.example.org"), home.resolve("other"));
        assertThat(config.of("node1", "bob").keys().get(0)).isEqualTo(home.resolve("key of bob at node1.example.org"));
        assertThat(config.of("node9", null).port()).isEqualTo(2023);
        assertThat(config.namesKeys()).isTrue();
    }

    @Test
    void aHostOfWhichNothingIsSaidIsItself() throws IOException {
        SshConfig.Entry entry = read("Host other\n Port 1\n").of("node", null);

        assertThat(entry.hostName()).isEqualTo("node");
        assertThat(entry.user()).isNull();
        assertThat(entry.port()).isZero();
        assertThat(entry.keys()).isEmpty();
        assertThat(entry.jumps()).isEmpty();
        assertThat(entry.hasCommand()).isFalse();
        assertThat(SshConfig.NONE.of("node", null)).isEqualTo(entry);
    }

    @Test
    void aBlockByNameCountsAndOneByOtherCriteriaDoesNot() throws IOException {
        SshConfig config = read("""
                Match exec "touch /never"
                    Port 1
                Match user bob host node
                    Port 2
                Host node
                    HostName real
                Match host real originalhost n*,m*
                    Port 3
                Match all
                    User everyone
                """);

        assertThat(config.of("node", null).port()).isEqualTo(3);
        assertThat(config.of("real", null).port()).isZero();
        assertThat(config.of("real", null).user()).isEqualTo("everyone");
    }

    @Test
    void includedFilesStandInPlaceOfTheirLineForItsHostsAlone() throws IOException {
        Path more = Files.createDirectories(home.resolve(".ssh/config.d"));
        Files.writeString(more.resolve("a"), "Host node\n Port 2022\n");
        Files.writeString(more.resolve("b"), "User alice\n");
        SshConfig config = read("""
                Host node other
                    Include config.d/*
                    ProxyJump a@x:1,b
                Host *
                    Port 2023
                    Include no-such-file no-such-folder/*
                """);

        assertThat(config.of("node", null).port()).isEqualTo(2022);
        assertThat(config.of("node", null).user()).isEqualTo("alice");
        assertThat(config.of("node", null).jumps()).containsExactly("a@x:1", "b");
        assertThat(config.of("other", null).port()).isEqualTo(2023);
        assertThat(config.of("other", null).user()).isEqualTo("alice");
        assertThat(config.of("third", null).user()).isNull();
    }

    @Test
    void aCommandOnTheWayIsNoticedUnlessAJumpHostStandsBeforeIt() throws IOException {
        SshConfig config = read("""
                Host a
                    ProxyCommand nc %h %p
                Host b
                    ProxyCommand none
                Host c
                    ProxyJump none
                    ProxyCommand nc %h %p
                """);

        assertThat(config.of("a", null).hasCommand()).isTrue();
        assertThat(config.of("b", null).hasCommand()).isFalse();
        assertThat(config.of("c", null).hasCommand()).isFalse();
        assertThat(config.of("c", null).jumps()).isEmpty();
    }

    @Test
    void whatCannotBeUsedIsToldWithItsPlace() throws IOException {
        SshConfig config = read("Host node\n\n  Port ssh\n");

        assertThatThrownBy(() -> config.of("node", null))
                .hasMessageContaining("config line 3: expected a port from 1 to 65535, got 'ssh'");
        assertThatThrownBy(() -> read("Include config\n")).hasMessageContaining("does a file include itself?");
    }

    @Test
    void theExperimentGoesBeforeTheConfiguration() throws IOException {
        SshConfig config = read("Host node\n User carol\n Port 2022\n");

        assertThat(Address.parse("node", new LoginSettings(null, config))).hasToString("carol@node:2022");
        assertThat(Address.parse("bob@node:22", new LoginSettings("alice", config)))
                .hasToString("bob@node");
        assertThat(Address.parse("node", new LoginSettings("alice", config))).hasToString("alice@node:2022");
        assertThat(Address.parse("x", new LoginSettings(null, config)))
                .hasToString(System.getProperty("user.name") + "@x");
    }
}
