#!/bin/sh
# make-gsi.sh DIR ACCOUNT: an authority, a host and a user certificate, and a map of the user to the account
set -e
mkdir -p "$1/trusted" && cd "$1"
openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 30 -keyout ca-key.pem -out ca.pem -subj '/O=Grid/OU=test/CN=Test CA' \
  -addext keyUsage=critical,keyCertSign,cRLSign
for hash in "$(openssl x509 -in ca.pem -noout -hash)" "$(openssl x509 -in ca.pem -noout -subject_hash_old)"; do
  cp ca.pem "trusted/$hash.0"
  {
    echo "access_id_CA X509 '/O=Grid/OU=test/CN=Test CA'"
    echo "pos_rights globus CA:sign"
    echo "cond_subjects globus '\"/O=Grid/OU=test/*\"'"
  } > "trusted/$hash.signing_policy"
done
issue() {
  openssl req -newkey rsa:2048 -nodes -keyout "$1-key.pem" -out "$1.csr" -subj "$2"
  printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,keyEncipherment\n%s\n' "$3" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 30 -sha256 -out "$1-cert.pem" -extfile "$1.ext"
  chmod 600 "$1-key.pem"
}
issue host '/O=Grid/OU=test/CN=localhost' 'subjectAltName=DNS:localhost,IP:127.0.0.1'
issue user '/O=Grid/OU=test/CN=Test User' 'extendedKeyUsage=clientAuth'
issue other '/O=Grid/OU=test/CN=Other User' 'extendedKeyUsage=clientAuth'
echo "\"/O=Grid/OU=test/CN=Test User\" $2" > grid-mapfile
cat other-cert.pem other-key.pem > other.pem
chmod 600 other.pem
