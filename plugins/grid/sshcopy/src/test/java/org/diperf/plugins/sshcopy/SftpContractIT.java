package org.diperf.plugins.sshcopy;

class SftpContractIT extends CopyContract {

    SftpContractIT() {
        super(new SftpPlugin());
    }
}
