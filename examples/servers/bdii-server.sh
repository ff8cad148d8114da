#!/bin/sh
# A BDII until it is stopped: slapd, and bdii-update that asks a provider of so many computing elements every 5 s.
# Needs slapd, ldap-utils, bdii and glue-schema. Usage: bdii-server.sh ENTRIES PORT
# bdii-update of bdii 6.0.0 calls the tools of OpenLDAP with -h HOST -p PORT, which 2.5 no longer has: here they get -H instead.
set -eu
folder=/tmp/diperf-bdii/$2
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/db/grid" "$folder/db/glue" "$folder/db/stats" "$folder/run" "$folder/gip/ldif" "$folder/gip/provider" \
    "$folder/gip/plugin" "$folder/archive"
for tool in ldapadd ldapmodify ldapdelete ldapsearch; do
    cat > "$folder/bin/$tool" <<END
#!/bin/bash
rest=() host=localhost port=2170
while [ \$# -gt 0 ]; do
    case \$1 in
        -h) host=\${2%:*}; [ "\$2" = "\${2%:*}" ] || port=\${2##*:}; shift 2 ;;
        -p) port=\$2; shift 2 ;;
        *) rest+=("\$1"); shift ;;
    esac
done
exec /usr/bin/$tool -H "ldap://\$host:\$port" "\${rest[@]}"
END
done
cp /usr/share/bdii/default.ldif "$folder/gip/ldif/"
cat > "$folder/gip/provider/elements" <<'END'
#!/bin/sh
awk -v n=ENTRIES 'BEGIN {
    for (i = 0; i < n; i++) {
        id = "host" i ".example:2119/jobmanager-fork-q"
        print "dn: GlueCEUniqueID=" id ",Mds-Vo-name=resource,o=grid"
        print "objectClass: GlueCETop\nobjectClass: GlueCE\nobjectClass: GlueSchemaVersion\nobjectClass: GlueCEState"
        print "GlueCEUniqueID: " id "\nGlueCEName: q\nGlueCEStateStatus: Production\nGlueCEStateFreeCPUs: " i % 16
        print "GlueSchemaVersionMajor: 1\nGlueSchemaVersionMinor: 3\n"
    }
}'
END
sed -i "s/ENTRIES/$1/" "$folder/gip/provider/elements"
chmod 755 "$folder/bin"/* "$folder/gip/provider/elements"
{
    for schema in ldap/schema/core ldap/schema/cosine ldap/schema/nis bdii/BDII ldap/schema/Glue-CORE ldap/schema/Glue-MDS \
        ldap/schema/Glue-CE ldap/schema/Glue-CESEBind ldap/schema/Glue-SE ldap/schema/GLUE20; do
        echo "include /etc/$schema.schema"
    done
    printf 'modulepath /usr/lib/ldap\nmoduleload back_mdb\nallow bind_v2\npidfile %s/run/slapd.pid\nloglevel 0\nsizelimit unlimited\n' "$folder"
    for database in grid:grid glue:glue infosys:stats; do
        printf 'database mdb\nsuffix "o=%s"\nrootdn "o=%s"\nrootpw secret\ndirectory %s/db/%s\nindex objectClass eq,pres\n' \
            "${database%:*}" "${database%:*}" "$folder" "${database#*:}"
    done
} > "$folder/slapd.conf"
cat > "$folder/bdii.conf" <<END
BDII_LOG_FILE=$folder/update.log
BDII_PID_FILE=$folder/run/update.pid
BDII_LOG_LEVEL=ERROR
BDII_LDIF_DIR=$folder/gip/ldif
BDII_PROVIDER_DIR=$folder/gip/provider
BDII_PLUGIN_DIR=$folder/gip/plugin
BDII_PORT=$2
BDII_BREATHE_TIME=5
BDII_READ_TIMEOUT=20
BDII_ARCHIVE_SIZE=0
BDII_DELETE_DELAY=0
BDII_USER=$(id -un)
BDII_VAR_DIR=$folder
SLAPD_CONF=$folder/slapd.conf
BDII_HOSTNAME=127.0.0.1
BDII_RUN_DIR=$folder/run
END
PATH=$PATH:/usr/sbin
slapd -d 0 -f "$folder/slapd.conf" -h "ldap://127.0.0.1:$2" &
slapd=$!
trap 'kill $slapd $(cat "$folder/run/update.pid" 2>/dev/null)' EXIT INT TERM
# It leaves this shell, and says nothing when it does.
PATH=$folder/bin:$PATH bdii-update -d -c "$folder/bdii.conf" > "$folder/update.out" 2>&1
wait $slapd
