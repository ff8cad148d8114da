#!/bin/sh
# A GRAM5 gatekeeper with the job manager "fork", until it is stopped. It has everything of its own, in /tmp/diperf-gram/PORT: an authority, a
# certificate of localhost, a user's proxy.pem, the trusted certificates, and, in a mount namespace, the account gramuser, which jobs run as.
# When it is stopped its process namespace goes, and with it job managers and jobs. The job manager writes what it does to jobmanager.log.
# It listens on all addresses; it serves only its own authority's user.
# Needs root, util-linux, openssl, globus-proxy-utils, globus-gatekeeper, globus-gram-job-manager, globus-gram-job-manager-fork.
# Usage: gram-server.sh PORT [OTHER-PORT]: with the authority and certificates of the gatekeeper at OTHER-PORT, so that one proxy is good for both
set -eu
port=$1
others=${2:+/tmp/diperf-gram/$2}
folder=/tmp/diperf-gram/$port
account=$((40000 + port % 20000))
rm -rf "$folder"
mkdir -p "$folder/trusted" "$folder/services" "$folder/home" "$folder/state"
cd "$folder"
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
    issue host '/O=Grid/OU=test/CN=localhost' 'subjectAltName=DNS:localhost,IP:127.0.0.1'
    issue user '/O=Grid/OU=test/CN=Test User' 'extendedKeyUsage=clientAuth'
    issue other '/O=Grid/OU=test/CN=Other User' 'extendedKeyUsage=clientAuth'
    cat other-cert.pem other-key.pem > other.pem
    chmod 600 other.pem
    X509_CERT_DIR=$folder/trusted grid-proxy-init -cert user-cert.pem -key user-key.pem -out proxy.pem -valid 24:00
}
if [ -n "$others" ]; then
    cp "$others/trusted/"* trusted
    cp "$others"/*.pem .
else
    (set -e; make) > make.log 2>&1 || { cat make.log >&2; exit 1; }
fi
echo '"/O=Grid/OU=test/CN=Test User" gramuser' > grid-mapfile
cp /etc/passwd passwd
echo "gramuser:x:$account:$(id -g nobody):GRAM:$folder/home:/bin/sh" >> passwd
chown "$account" home state
: > jobmanager.log
chown "$account" jobmanager.log
chmod 755 "$folder"
# Its certificates are no default of the helpers that bring output back, so they are told.
# In this process namespace numbers of processes, which are jobs' names, begin anew, so no state of another one may be found.
printf '%s\n' '-globus-toolkit-version 6.2' "-log-pattern $folder/jobmanager.log" '-log-levels TRACE|INFO|DEBUG|WARN|ERROR|FATAL' \
    "-x509-cert-dir $folder/trusted" "-state-file-dir $folder/state" > job-manager.conf
echo "stderr_log,local_cred - /usr/sbin/globus-job-manager globus-job-manager -conf $folder/job-manager.conf -type fork" \
    > services/jobmanager-fork
# unshare lets SIGTERM pass; when it is killed, so is the first process of the namespace, and with that all others.
X509_CERT_DIR=$folder/trusted setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc sh -c "
    mount --bind '$folder/passwd' /etc/passwd
    exec globus-gatekeeper -f -p $port -l '$folder/gatekeeper.log' -grid_services '$folder/services' -gridmap '$folder/grid-mapfile' \
        -x509_cert_dir '$folder/trusted' -x509_user_cert '$folder/host-cert.pem' -x509_user_key '$folder/host-key.pem'" &
server=$!
trap 'kill -KILL $server' EXIT
trap 'exit 0' INT TERM
wait $server
