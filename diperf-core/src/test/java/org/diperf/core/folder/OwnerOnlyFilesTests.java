package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyFilesTests {

    @TempDir
    Path folder;

    @Test
    void aFileHasItsNameOnlyWhenItIsWhole() {
        Path file = folder.resolve("tester-1.ticket");
        // No UTF-8: found out after the file was made.
        assertThatThrownBy(() -> OwnerOnlyFiles.write(file, "\uD800")).isInstanceOf(CharacterCodingException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void onlyItsOwnerMayReadItAndAFileThatIsThereStays() throws Exception {
        Path file = OwnerOnlyFiles.write(folder.resolve("tester-1.ticket"), "first");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> OwnerOnlyFiles.write(file, "second")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("first");
        assertThat(folder).isDirectoryContaining(each -> each.equals(file));
    }
}
