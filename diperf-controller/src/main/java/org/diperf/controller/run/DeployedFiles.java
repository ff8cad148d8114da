package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The single files of what an experiment deploys. */
final class DeployedFiles {

    private static final int MOST = 10_000;

    private DeployedFiles() {}

    /**
     * Takes folders apart.
     *
     * @param deploy path there to file or folder here
     * @return path there, with slashes, to file here
     * @throws IOException when there are too many, or one cannot be listed
     */
    static Map<String, Path> of(Map<String, Path> deploy) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        for (Map.Entry<String, Path> entry : deploy.entrySet()) {
            Path from = entry.getValue();
            List<Path> each;
            try (Stream<Path> walk = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
                each = walk.filter(Files::isRegularFile).limit(MOST + 1L).toList();
            }
            for (Path file : each) {
                files.put(file.equals(from) ? entry.getKey() : entry.getKey() + "/" + from.relativize(file), file);
            }
            if (files.size() > MOST) {
                throw new IOException(
                        "expected at most " + MOST + " files in 'deploy', got more; deploy an archive instead");
            }
        }
        return files;
    }
}
