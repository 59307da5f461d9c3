# shellcheck shell=bash
# Sourced: an etcd on this machine for a demonstration or a measurement.
need_packages etcd-server etcd-client openssl curl
nodes=()

# start_etcd FOLDER COUNT: makes the folder, certificates of an authority of its own, and starts so many nodes.
# `endpoints` are their addresses, `nodes` their processes, which the caller ends.
start_etcd() {
    local folder=$1 count=$2 node own peer peers='' port=$((20000 + RANDOM % 5000))
    local new_key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
    mkdir -m 700 "$folder"
    openssl req -x509 -days 2 -subj /O=house "${new_key[@]}" -keyout "$folder/ca.key" -out "$folder/ca.pem" 2>/dev/null
    openssl req -new -subj /O=etcd "${new_key[@]}" -keyout "$folder/server.key" -out "$folder/server.csr" 2>/dev/null
    printf 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' >"$folder/server.ext"
    openssl x509 -req -days 2 -in "$folder/server.csr" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -CAcreateserial \
        -extfile "$folder/server.ext" -out "$folder/server.pem" 2>/dev/null
    endpoints=
    for ((node = 0; node < count; node++)); do
        peers+=",n$node=http://127.0.0.1:$((port + 10 + node))"
        endpoints+=",https://127.0.0.1:$((port + node))"
    done
    endpoints=${endpoints#,}
    for ((node = 0; node < count; node++)); do
        own=https://127.0.0.1:$((port + node)) peer=http://127.0.0.1:$((port + 10 + node))
        etcd --name "n$node" --data-dir "$folder/data-$node" --listen-client-urls "$own" --advertise-client-urls "$own" \
            --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "${peers#,}" \
            --cert-file "$folder/server.pem" --key-file "$folder/server.key" --logger zap --log-level error \
            >"$folder/log-$node" 2>&1 </dev/null &
        nodes+=($!)
        disown
    done
    operator etcdctl --endpoints "$endpoints" --command-timeout 20s put ready yes >&2
}

# operator COMMAND...: as the person who runs that etcd, in its folder.
operator() { (cd "$stage/etcd" && env ETCDCTL_API=3 ETCDCTL_CACERT=ca.pem ETCDCTL_DIAL_TIMEOUT=20s "$@"); }
