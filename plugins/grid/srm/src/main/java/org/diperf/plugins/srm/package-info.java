/** Client that asks a storage resource manager (SRM v2.2, GFD.129) for files, and moves them by GridFTP. */
@NullMarked
package org.diperf.plugins.srm;

import org.jspecify.annotations.NullMarked;
