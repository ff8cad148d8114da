package org.diperf.plugins.ssh;

import com.jcraft.jsch.Identity;
import com.jcraft.jsch.IdentityRepository;
import java.util.Vector;

/** The keys of files, and after them those of the agent: a server lets few be tried. */
final class Keys implements IdentityRepository {

    private final IdentityRepository files;
    private final IdentityRepository agent;

    Keys(IdentityRepository files, IdentityRepository agent) {
        this.files = files;
        this.agent = agent;
    }

    @Override
    public String getName() {
        return "files and agent";
    }

    @Override
    public int getStatus() {
        return RUNNING;
    }

    @Override
    @SuppressWarnings("JdkObsolete") // JSch wants a Vector.
    public Vector<Identity> getIdentities() {
        Vector<Identity> all = new Vector<>(files.getIdentities());
        all.addAll(agent.getIdentities());
        return all;
    }

    @Override
    public boolean add(byte[] identity) {
        return files.add(identity);
    }

    @Override
    public boolean remove(byte[] blob) {
        return files.remove(blob);
    }

    @Override
    public void removeAll() {
        files.removeAll();
    }
}
