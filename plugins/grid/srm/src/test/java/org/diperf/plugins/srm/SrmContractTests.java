package org.diperf.plugins.srm;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.io.TempDir;

class SrmContractTests extends ClientPluginContract {

    @TempDir
    Path files;

    @Override
    protected ClientPlugin plugin() {
        return new SrmPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("protocols", List.of("ftp"));
    }

    /** Names what a call asks for first. */
    protected String firstOperation() {
        return "PrepareToGet";
    }

    @Override
    protected Url goodTarget() throws Exception {
        Files.createFile(files.resolve("file"));
        FtpStandIn ftp = untilTheEnd(FtpStandIn.start());
        return untilTheEnd(
                        Manager.start(files, "ftp://127.0.0.1:" + ftp.target().port(), "wait=0"))
                .uri("/file");
    }

    @Override
    protected Url failingTarget() throws Exception {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Url.of("http://127.0.0.1:" + closed.getLocalPort() + "/srm/managerv2?SFN=/file");
        }
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(Manager.start(files, "ftp://127.0.0.1:1", "fail=" + firstOperation() + ":hang:1"))
                .uri("/file");
    }
}
