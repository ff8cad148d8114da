package org.diperf.plugins.gram;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.batch.BatchTestbed;

/**
 * What the experiment says of a testbed whose testers are jobs.
 *
 * @param contacts of the gatekeepers, at least one
 * @param relations of RSL that every job has besides ours, each in parentheses; perhaps empty
 * @param patience how long a job may wait for its turn
 * @param callbacks where job managers reach the controller
 */
record TestbedSettings(List<Contact> contacts, String relations, Duration patience, Listener.Place callbacks) {

    static final String CONTACTS = "contacts";
    static final String RSL = "rsl";
    /** What a tester's job needs for itself. */
    private static final List<String> OURS = List.of(
            "executable",
            "arguments",
            "stdin",
            "stdout",
            "stderr",
            "directory",
            "scratch_dir",
            "count",
            "file_stage_in_shared",
            "two_phase");

    TestbedSettings {
        contacts = List.copyOf(contacts);
    }

    /** @throws Unusable when something cannot be used */
    static TestbedSettings of(Parameters with) {
        List<Contact> contacts = new ArrayList<>();
        for (Text given : with.texts(CONTACTS)) {
            contacts.add(contact(given.toString().strip()));
        }
        if (contacts.isEmpty()) {
            throw new Unusable(
                    CONTACTS,
                    "expected at least one gatekeeper, such as [head.site.org:2119/jobmanager-pbs], got none");
        }
        Duration patience = with.duration(BatchTestbed.WAIT.name());
        if (patience.toNanos() <= 0) {
            throw new Unusable(
                    BatchTestbed.WAIT.name(),
                    "expected more than 0, because every job spends some time in the queue, got "
                            + Quantity.format(patience) + "; omit it to use 10m");
        }
        return new TestbedSettings(
                contacts, relations(with.has(RSL) ? with.string(RSL).strip() : ""), patience, Settings.place(with));
    }

    /** Reads a contact as Globus' tools take it, or as a target. */
    private static Contact contact(String given) {
        String text = given.startsWith("gram://") ? given.substring("gram://".length()) : given;
        try {
            if (text.contains("//")) {
                throw new IllegalArgumentException("wrong scheme, or no service");
            }
            return Contact.of(Url.of(
                    "gram://" + text.replace("%", "%25").replace("?", "%3F").replace("#", "%23")));
        } catch (IllegalArgumentException e) {
            throw new Unusable(
                    CONTACTS,
                    "expected HOST:PORT/SERVICE or HOST:PORT/SERVICE:SUBJECT, such as"
                            + " head.site.org:2119/jobmanager-pbs, got '" + given + "'");
        }
    }

    private static String relations(String given) {
        if (given.isEmpty()) {
            return given;
        }
        String all = given.startsWith("&") ? given.substring(1).strip() : given;
        Rsl read;
        try {
            read = Rsl.of("&" + all);
        } catch (Rsl.MalformedRslException e) {
            throw new Unusable(RSL, String.valueOf(e.getMessage()));
        }
        for (String ours : OURS) {
            if (read.has(ours)) {
                throw new Unusable(
                        RSL,
                        "expected relations that DiPerF does not set itself, such as (queue=short)(max_wall_time=60), "
                                + "got " + ours + "; remove it");
            }
        }
        return all;
    }
}
