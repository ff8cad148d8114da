/** Client {@code wsgram}: runs jobs through WS-GRAM, GRAM's successor of the Globus Toolkit 4, by SOAP over HTTP. */
@NullMarked
package org.diperf.plugins.gram.ws;

import org.jspecify.annotations.NullMarked;
