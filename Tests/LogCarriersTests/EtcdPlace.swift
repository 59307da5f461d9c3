import Glibc
import LogCarriers
import Synchronization
import System
import Text
import VaultCrypto

/// Nodes of etcd with certificates and users, on free ports of this machine.
///
/// A shell starts them and ends them when this process is gone, however it ends.
final class EtcdCluster: Sendable {
    static let shared = Result { try EtcdCluster(nodes: 3) }

    let scratch: Scratch
    let ports: [Int]
    private let identifiers = Mutex<[Int32]>([])
    private let feed: Int32
    private let talk: Int32

    /// Makes certificates, starts the nodes, and waits until they have a leader.
    init(nodes: Int, quota: Int = 0) throws {
        scratch = try Scratch(isInMemory: true)
        try Self.makeCertificates(scratch)
        var ports: [Int] = []
        for _ in 0..<2 * nodes { ports.append(try Self.freePort(except: ports)) }
        self.ports = ports
        let names = (0..<nodes).map { "n\($0)=https://127.0.0.1:\(ports[nodes + $0])" }.joined(separator: ",")
        for node in 0..<nodes {
            let (client, peer) = (ports[node], ports[nodes + node])
            let path = scratch.path
            _ = try scratch.write(
                "node-\(node)",
                """
                exec etcd --name n\(node) --data-dir \(path)/data-\(node) --initial-cluster-state new \
                --listen-client-urls https://127.0.0.1:\(client) --advertise-client-urls https://127.0.0.1:\(client) \
                --listen-peer-urls https://127.0.0.1:\(peer) --initial-advertise-peer-urls https://127.0.0.1:\(peer) \
                --initial-cluster \(names) --initial-cluster-token \(path) \
                --cert-file \(path)/server.pem --key-file \(path)/server.key --client-cert-auth \
                --trusted-ca-file \(path)/ca.pem --peer-cert-file \(path)/server.pem \
                --peer-key-file \(path)/server.key --peer-client-cert-auth --peer-trusted-ca-file \(path)/ca.pem \
                --heartbeat-interval 100 --election-timeout 1500 --quota-backend-bytes \(quota) \
                --logger zap --log-level error >>\(path)/log-\(node) 2>&1 </dev/null

                """
            )
        }
        let (commands, answers) = (try Pipe(), try Pipe())
        let script = """
            while read -r node; do sh "$0/node-$node" & eval "pid_$node=$!"; echo $!; done
            kill -9 $pid_0 $pid_1 $pid_2; wait; rm -rf "$0"
            """
        _ = try ChildProcess.start(
            "/bin/sh",
            ["-c", script, scratch.path],
            ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
            input: commands.readEnd,
            output: answers.writeEnd,
            leadsSession: true
        )
        (feed, talk) = (
            fcntl(commands.writeEnd, F_DUPFD_CLOEXEC, 3), fcntl(answers.readEnd, F_DUPFD_CLOEXEC, 3)
        )
        commands.close()
        answers.close()
        for node in 0..<nodes { try start(node) }
        try control(["put", "ready", "yes"])
    }

    deinit {
        close(feed)
        close(talk)
    }

    var endpoints: String {
        ports.prefix(ports.count / 2).map { "https://127.0.0.1:\($0)" }.joined(separator: ",")
    }

    func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// Starts a node, also once more.
    func start(_ node: Int) throws {
        try Descriptor(feed).write("\(node)\n")
        var line: [UInt8] = []
        while let byte = try Descriptor(talk).read(upTo: 1).first, byte != 0x0A { line.append(byte) }
        guard let identifier = Int32(String(decoding: line, as: UTF8.self)) else { throw Trouble("no node") }
        identifiers.withLock { all in
            if all.count <= node { all += Array(repeating: 0, count: node + 1 - all.count) }
            all[node] = identifier
        }
    }

    func signal(_ node: Int, _ number: Int32) {
        _ = kill(identifiers.withLock { $0[node] }, number)
    }

    /// Runs etcdctl with a certificate, as root once there are users.
    ///
    /// It waits for the nodes and their leader.
    @discardableResult
    func control(_ words: [String], user: String? = nil, input: String = "") throws -> String {
        try tool(
            [
                "etcdctl", "--endpoints=\(endpoints)", "--cacert=\(path("ca.pem"))",
                "--cert=\(path("client.pem"))",
                "--key=\(path("client.key"))", "--dial-timeout=30s", "--command-timeout=30s",
            ] + (user.map { ["--user=\($0)"] } ?? []) + words,
            ["ETCDCTL_API": "3"],
            input: input
        )
    }

    /// Two roles, and users who have them: one may write below /t/, the other may read there.
    func enableUsers() throws {
        for words in [
            ["user", "add", "root:root-pass"], ["user", "grant-role", "root", "root"],
            ["role", "add", "writer"],
            ["role", "grant-permission", "writer", "readwrite", "--prefix=true", "/t/"],
            ["role", "add", "reader"],
            ["role", "grant-permission", "reader", "read", "--prefix=true", "/t/"],
            ["user", "add", "web1:\(Self.password)"], ["user", "grant-role", "web1", "writer"],
            ["user", "add", "web2:\(Self.password)"], ["user", "grant-role", "web2", "reader"],
            ["user", "add", "web3:simple"], ["user", "grant-role", "web3", "writer"], ["auth", "enable"],
        ] {
            try control(words)
        }
    }

    /// Every sign that JSON or curl's settings escape.
    static let password = "p\"w\\'$ é"

    /// Which node leads.
    func leader() throws -> Int {
        let text = try control(["endpoint", "status", "-w", "json"], user: "root:root-pass")
        for status in try JSONValue(Array(text.utf8)).items {
            let member = status["Status"]?["header"]?["member_id"]
            if let member, member == status["Status"]?["leader"], let endpoint = status["Endpoint"]?.text,
                let node = ports.firstIndex(where: { endpoint.hasSuffix(":\($0)") })
            {
                return node
            }
        }
        throw Trouble("no leader")
    }

    private static func makeCertificates(_ scratch: Scratch) throws {
        let path = scratch.path
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for authority in ["ca", "other-ca"] {
            try tool(
                ["openssl", "req", "-x509", "-days", "2", "-subj", "/O=\(authority)"] + key
                    + ["-keyout", "\(path)/\(authority).key", "-out", "\(path)/\(authority).pem"]
            )
        }
        // The gateway of a node is a client of that node, so its certificate is for both.
        let server = "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n"
        let client = "extendedKeyUsage=clientAuth\n"
        for (name, subject, extensions) in [
            ("server", "/O=hsip", server), ("client", "/O=hsip", client), ("named", "/CN=web1", client),
        ] {
            let request = "\(path)/\(name).csr"
            try tool(
                ["openssl", "req", "-new", "-subj", subject] + key
                    + ["-keyout", "\(path)/\(name).key", "-out", request]
            )
            let file = try scratch.write("\(name).ext", extensions)
            try tool([
                "openssl", "x509", "-req", "-in", request, "-days", "2", "-CA", "\(path)/ca.pem", "-CAkey",
                "\(path)/ca.key", "-CAcreateserial", "-extfile", file, "-out", "\(path)/\(name).pem",
            ])
        }
    }

    /// A port that nothing has, below those that the kernel gives to connections.
    private static func freePort(except used: [Int]) throws -> Int {
        for _ in 0..<200 {
            let port = Int.random(in: 20_000..<32_000)
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree, !used.contains(port) { return port }
        }
        throw Trouble("no free port")
    }
}

/// A prefix of its own in the nodes that the tests share.
struct EtcdPlace: Place {
    let cluster: EtcdCluster
    let prefix: String

    /// The nodes are started once, with users.
    static let started = Result {
        let cluster = try EtcdCluster.shared.get()
        try cluster.enableUsers()
        return cluster
    }

    init() throws { try self.init(Self.started.get()) }

    init(_ cluster: EtcdCluster) {
        self.cluster = cluster
        prefix = "/t/\(Hex.encode(Entropy.system.bytes(6)))"
    }

    func carrier(_ machine: Int) throws -> any LogCarrier { try carrier(user: "web1") }

    func carrier(
        user: String?,
        authority: String = "ca.pem",
        certificate: String? = "client",
        password: String = EtcdCluster.password
    ) throws -> EtcdCarrier {
        try EtcdCarrier(
            try address,
            try credentials(user, authority, certificate, password),
            runner: Self.runner
        )
    }

    var address: CarrierAddress { get throws { try CarrierAddress(.etcd, cluster.endpoints + prefix) } }
    static let runner = HelperRunner(environment: Environment(["PATH": "/usr/bin:/bin"]))

    func credentials(
        _ user: String?,
        _ authority: String = "ca.pem",
        _ certificate: String? = "client",
        _ password: String = EtcdCluster.password
    ) throws -> EtcdCredentials {
        try EtcdCredentials(
            authority: String(decoding: try OwnFile.read(cluster.path(authority)), as: UTF8.self),
            certificate: certificate.map { cluster.path("\($0).pem") },
            key: certificate.map { cluster.path("\($0).key") },
            user: user,
            password: try user.map { _ in try Secret(copying: Array(password.utf8)) }
        )
    }
}
