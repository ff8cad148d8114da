package org.diperf.plugins.emulated.information;

import com.unboundid.ldap.protocol.AddResponseProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.CompareResponseProtocolOp;
import com.unboundid.ldap.protocol.DeleteResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.ModifyDNResponseProtocolOp;
import com.unboundid.ldap.protocol.ModifyResponseProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a read-only directory answers to the requests of one connection. Thread-safe, as far as its entries are. */
final class DirectoryResponder {

    private static final int LDAP_VERSION = 3;
    private static final Entry ROOT = new Entry(
            DN.NULL_DN,
            new Attribute("objectClass", "top"),
            new Attribute("namingContexts", "o=grid"),
            new Attribute("supportedLDAPVersion", Integer.toString(LDAP_VERSION)));

    private final Entries entries;

    DirectoryResponder(Entries entries) {
        this.entries = entries;
    }

    /**
     * Returns the answers to a request, in their order; none: it has none.
     *
     * @param request no unbinding
     */
    List<ProtocolOp> to(Request request) {
        ProtocolOp operation = request.operation();
        if (request.hasCriticalControl()) {
            return failed(request, ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, "no LDAP controls are supported");
        }
        if (operation instanceof SearchRequestProtocolOp search) {
            return searched(search);
        }
        return operation instanceof BindRequestProtocolOp bind
                ? List.of(bound(bind))
                : failed(request, ResultCode.UNWILLING_TO_PERFORM, "this directory only supports searches");
    }

    private static ProtocolOp bound(BindRequestProtocolOp bind) {
        if (bind.getVersion() != LDAP_VERSION) {
            return bindResult(ResultCode.PROTOCOL_ERROR, "expected LDAP version 3, got " + bind.getVersion());
        }
        if (bind.getSimplePassword() == null) {
            return bindResult(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "expected an anonymous bind, got SASL");
        }
        return bind.getSimplePassword().getValueLength() == 0
                ? bindResult(ResultCode.SUCCESS, "")
                : bindResult(ResultCode.INVALID_CREDENTIALS, "expected an anonymous bind, got one with a password");
    }

    private static ProtocolOp bindResult(ResultCode code, String why) {
        return new BindResponseProtocolOp(code.intValue(), null, why.isEmpty() ? null : why, null, null);
    }

    /** Says the same of any request, as its kind wants it. */
    private static List<ProtocolOp> failed(Request request, ResultCode code, String why) {
        int number = code.intValue();
        return switch (request.type()) {
            case 0x60 -> List.of(bindResult(code, why));
            case 0x63 -> List.of(new SearchResultDoneProtocolOp(number, null, why, null));
            case 0x66 -> List.of(new ModifyResponseProtocolOp(number, null, why, null));
            case 0x68 -> List.of(new AddResponseProtocolOp(number, null, why, null));
            case 0x4a -> List.of(new DeleteResponseProtocolOp(number, null, why, null));
            case 0x6c -> List.of(new ModifyDNResponseProtocolOp(number, null, why, null));
            case 0x6e -> List.of(new CompareResponseProtocolOp(number, null, why, null));
            // An extension that is not known is an error of the protocol (RFC 4511, 4.12).
            case 0x77 ->
                List.of(new ExtendedResponseProtocolOp(
                        ResultCode.PROTOCOL_ERROR.intValue(), null, why, null, null, null));
            default -> List.of();
        };
    }

    private List<ProtocolOp> searched(SearchRequestProtocolOp search) {
        List<ProtocolOp> answers = new ArrayList<>();
        ResultCode code = ResultCode.SUCCESS;
        String why = null;
        try {
            DN base = new DN(search.getBaseDN());
            List<Entry> all =
                    base.isNullDN() && search.getScope().equals(SearchScope.BASE) ? List.of(ROOT) : entries.now();
            boolean isThere = base.isNullDN();
            for (Entry entry : all) {
                isThere |= entry.getParsedDN().equals(base);
                if (entry.matchesBaseAndScope(base, search.getScope())
                        && search.getFilter().matchesEntry(entry, entries.schema())) {
                    if (search.getSizeLimit() > 0 && answers.size() == search.getSizeLimit()) {
                        code = ResultCode.SIZE_LIMIT_EXCEEDED;
                        break;
                    }
                    answers.add(new SearchResultEntryProtocolOp(entry.getDN(), expected(entry, search)));
                }
            }
            code = isThere || !answers.isEmpty() ? code : ResultCode.NO_SUCH_OBJECT;
        } catch (LDAPException e) {
            // Rules of matching that a filter names are beyond the SDK, which says it with a code for clients' own use.
            code = e.getResultCode().equals(ResultCode.NOT_SUPPORTED)
                    ? ResultCode.INAPPROPRIATE_MATCHING
                    : e.getResultCode();
            why = e.getMessage();
        }
        answers.add(new SearchResultDoneProtocolOp(code.intValue(), null, why, null));
        return answers;
    }

    private static List<Attribute> expected(Entry entry, SearchRequestProtocolOp search) {
        Set<String> names = search.getAttributes().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        boolean isAll = names.isEmpty() || names.contains("*");
        List<Attribute> wanted = new ArrayList<>();
        for (Attribute attribute : entry.getAttributes()) {
            if (isAll || names.contains(attribute.getName().toLowerCase(Locale.ROOT))) {
                wanted.add(search.typesOnly() ? new Attribute(attribute.getName()) : attribute);
            }
        }
        return wanted;
    }
}
