#!/bin/sh
# What copies of files are compared with, until it is stopped: a GridFTP server with GSI on PORT, an sshd on PORT+1, vsftpd on PORT+2 for
# whoever comes, all with files of 512 KiB to 256 MiB in /tmp/diperf-copies. On any address, as HOST in the GridFTP server's certificate; proxy.pem of
# its user and trusted are in /tmp/diperf-copies-gsi. Needs root, globus-gridftp-server-progs, globus-proxy-utils, openssl, openssh-server, vsftpd,
# and ssh-server.sh and grid-certificates.sh next to this. Usage: copies-server.sh PORT HOST
set -eu
folder=/tmp/diperf-copies
gsi=/tmp/diperf-copies-gsi
mkdir -p "$folder" /var/run/vsftpd/empty
chmod 755 "$folder"
for size in 524288 1048576 16777216 67108864 268435456; do
    [ -f "$folder/$size" ] || head -c "$size" /dev/urandom > "$folder/$size"
done
rm -rf "$gsi"
sh grid-certificates.sh "$gsi" "$2"
echo '"/O=Grid/OU=test/CN=Test User" nobody' > "$gsi/grid-mapfile"
sh ssh-server.sh $(($1 + 1)) any &
all=$!
trap 'kill $all' EXIT INT TERM
cat > "$gsi/vsftpd.conf" <<END
listen=YES
listen_port=$(($1 + 2))
background=NO
anonymous_enable=YES
no_anon_password=YES
anon_root=/
seccomp_sandbox=NO
END
chmod 644 "$gsi/vsftpd.conf"
vsftpd "$gsi/vsftpd.conf" &
all="$all $!"
X509_CERT_DIR=$gsi/trusted X509_USER_CERT=$gsi/host-cert.pem X509_USER_KEY=$gsi/host-key.pem GRIDMAP=$gsi/grid-mapfile \
    globus-gridftp-server -p "$1" -connections-max 100 &
all="$all $!"
wait $!
