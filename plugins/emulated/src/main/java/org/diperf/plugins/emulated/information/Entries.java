package org.diperf.plugins.emulated.information;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.schema.Schema;
import java.util.List;

/** What a directory holds. */
public interface Entries {

    /** Returns all entries, parents before their children. May be called by any thread, often. */
    List<Entry> now();

    /** Returns which attributes are numbers, so that filters compare them as such. */
    Schema schema();
}
