#!/bin/sh
# An MDS2 index until it is stopped: slapd with a tree of so many computing elements, o=grid / Mds-Vo-name=local / GlueCEUniqueID=...
# Needs slapd. Usage: mds2-server.sh ENTRIES PORT [plain|tls [ADDRESS]]; with tls also on the next port by ldaps, and StartTLS on the first, with a
# certificate of 127.0.0.1 in /tmp/diperf-mds2/PORT/cert.pem (needs openssl). rootdn is o=grid with the password secret.
set -eu
folder=/tmp/diperf-mds2/$2
rm -rf "$folder"
mkdir -p "$folder/db"
chmod 700 "$folder"
address=${4:-127.0.0.1}
secure=
if [ "${3:-}" = tls ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=mds2 -addext subjectAltName=IP:127.0.0.1 \
        -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>"$folder/openssl.log"
    secure="ldaps://127.0.0.1:$(($2 + 1))"
fi
# The attributes of GLUE 1.3 that a computing element has; numbers of OpenLDAP's range for experiments.
cat > "$folder/slapd.conf" <<END
include /etc/ldap/schema/core.schema
attributetype ( 1.3.6.1.4.1.4203.666.77.1 NAME 'Mds-Vo-name' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.2 NAME 'GlueCEUniqueID' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.3 NAME 'GlueCEName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.4 NAME 'GlueCEInfoHostName' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.5 NAME 'GlueCEInfoTotalCPUs' EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )
attributetype ( 1.3.6.1.4.1.4203.666.77.6 NAME 'GlueCEInfoLRMSType' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.7 NAME 'GlueCEStateStatus' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.4203.666.77.8 NAME 'GlueCEStateFreeCPUs' EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )
attributetype ( 1.3.6.1.4.1.4203.666.77.9 NAME 'GlueCEStateRunningJobs' EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )
attributetype ( 1.3.6.1.4.1.4203.666.77.10 NAME 'GlueCEStateEstimatedResponseTime' EQUALITY integerMatch
  ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )
objectclass ( 1.3.6.1.4.1.4203.666.77.101 NAME 'MDS' SUP top STRUCTURAL MUST Mds-Vo-name )
objectclass ( 1.3.6.1.4.1.4203.666.77.102 NAME 'GlueCE' SUP top STRUCTURAL MUST GlueCEUniqueID
  MAY ( GlueCEName \$ GlueCEInfoHostName \$ GlueCEInfoTotalCPUs \$ GlueCEInfoLRMSType \$ GlueCEStateStatus \$
  GlueCEStateFreeCPUs \$ GlueCEStateRunningJobs \$ GlueCEStateEstimatedResponseTime ) )
modulepath /usr/lib/ldap
moduleload back_mdb
sizelimit unlimited
loglevel 0
threads 8
pidfile $folder/pid
$([ -z "$secure" ] || printf 'TLSCertificateFile %s\nTLSCertificateKeyFile %s' "$folder/cert.pem" "$folder/key.pem")
database mdb
suffix "o=grid"
rootdn "o=grid"
rootpw secret
directory $folder/db
maxsize 268435456
dbnosync
index objectClass,GlueCEUniqueID eq
END
awk -v n="$1" 'BEGIN {
    print "dn: o=grid\nobjectClass: organization\no: grid\n"
    print "dn: Mds-Vo-name=local,o=grid\nobjectClass: MDS\nMds-Vo-name: local\n"
    for (i = 0; i < n; i++) {
        id = "host" i ".example:2119/jobmanager-fork-q"
        print "dn: GlueCEUniqueID=" id ",Mds-Vo-name=local,o=grid\nobjectClass: GlueCE\nGlueCEUniqueID: " id
        print "GlueCEName: q\nGlueCEInfoHostName: host" i ".example\nGlueCEInfoTotalCPUs: " 16 + i % 64
        print "GlueCEInfoLRMSType: fork\nGlueCEStateStatus: Production\nGlueCEStateFreeCPUs: " i % 16
        print "GlueCEStateRunningJobs: " i % 7 "\nGlueCEStateEstimatedResponseTime: " i "\n"
    }
}' > "$folder/tree.ldif"
PATH=$PATH:/usr/sbin
slapadd -q -f "$folder/slapd.conf" -l "$folder/tree.ldif"
exec slapd -d 0 -f "$folder/slapd.conf" -h "ldap://$address:$2 $secure"
