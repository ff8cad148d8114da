#!/bin/sh
# Makes what a secured grid service and its user need, in FOLDER: an authority, trusted/ with what is trusted, the certificate and key of HOST (localhost),
# and of a user /O=Grid/OU=test/CN=Test User a proxy.pem; of another user other.pem. Needs openssl and globus-proxy-utils.
# Usage: grid-certificates.sh FOLDER [HOST]
set -eu
host=${2:-localhost}
mkdir -p "$1/trusted"
cd "$1"
make() {
    openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 30 -keyout ca-key.pem -out ca.pem -subj '/O=Grid/OU=test/CN=Test CA' \
        -addext keyUsage=critical,keyCertSign,cRLSign
    for hash in "$(openssl x509 -in ca.pem -noout -hash)" "$(openssl x509 -in ca.pem -noout -subject_hash_old)"; do
        cp ca.pem "trusted/$hash.0"
        printf "access_id_CA X509 '/O=Grid/OU=test/CN=Test CA'\npos_rights globus CA:sign\ncond_subjects globus '\"/O=Grid/OU=test/*\"'\n" \
            > "trusted/$hash.signing_policy"
    done
    issue() {
        openssl req -newkey rsa:2048 -nodes -keyout "$1-key.pem" -out "$1.csr" -subj "$2"
        printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,keyEncipherment\n%s\n' "$3" > "$1.ext"
        openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 30 -sha256 -out "$1-cert.pem" -extfile "$1.ext"
        chmod 600 "$1-key.pem"
    }
    issue host "/O=Grid/OU=test/CN=$host" "subjectAltName=DNS:localhost,DNS:$host,IP:127.0.0.1"
    issue user '/O=Grid/OU=test/CN=Test User' 'extendedKeyUsage=clientAuth'
    issue other '/O=Grid/OU=test/CN=Other User' 'extendedKeyUsage=clientAuth'
    cat other-cert.pem other-key.pem > other.pem
    chmod 600 other.pem
    X509_CERT_DIR=trusted grid-proxy-init -cert user-cert.pem -key user-key.pem -out proxy.pem -valid 24:00
}
(set -e; make) > make.log 2>&1 || { cat make.log >&2; exit 1; }
