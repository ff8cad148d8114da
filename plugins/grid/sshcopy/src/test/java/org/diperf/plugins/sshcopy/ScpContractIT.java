package org.diperf.plugins.sshcopy;

class ScpContractIT extends CopyContract {

    ScpContractIT() {
        super(new ScpPlugin());
    }
}
