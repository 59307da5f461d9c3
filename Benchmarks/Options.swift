/// What the command line asks for.
struct Options {
    /// Exit with 1 when a target is missed.
    private(set) var check = false
    private var values: [String: String] = [:]

    /// Reads `--check` and `--NAME VALUE` for the names below.
    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--check" {
                check = true
            } else if Self.names.contains(word), let value = rest.popFirst() {
                values[word] = value
            } else {
                throw BenchmarkError.usage
            }
        }
    }

    private static let names: Set = [
        "--hsip", "--age", "--home", "--folder", "--only", "--secret-tool", "--sizes", "--ssh-keygen",
        "--ssh-agent", "--ssh-add", "--recipient", "--identity", "--openssl", "--pass",
        "--gnome-keyring", "--dbus-daemon", "--git", "--etcd", "--etcdctl", "--ssh",
    ]

    /// The program as it is installed.
    var hsip: String? { values["--hsip"] }
    /// Where `age` is.
    var age: String? { values["--age"] }
    /// A home with a vault in it that has a contact `bob`, and the files `recovery` and `text`.
    var home: String? { values["--home"] }
    /// Where `openssl` is.
    var openssl: String? { values["--openssl"] }
    /// Where `pass` is; its store has an entry `benchmark`, and the variables of this process lead to it.
    var pass: String? { values["--pass"] }
    /// Where vaults are made: a folder of ours on a real disk.
    var folder: String? { values["--folder"] }

    /// Where `ssh-keygen` is.
    var sshKeygen: String? { values["--ssh-keygen"] }
    /// Where OpenSSH's agent and `ssh-add` are.
    var sshAgent: String? { values["--ssh-agent"] }
    var sshAdd: String? { values["--ssh-add"] }
    /// A public key of `age`.
    var recipient: String? { values["--recipient"] }
    /// The file with its private key.
    var identity: String? { values["--identity"] }
    /// Where `secret-tool` is; the keyring of this session is then ours to fill.
    var secretTool: String? { values["--secret-tool"] }
    /// A copy of `gnome-keyring-daemon`, and where `dbus-daemon` is.
    var gnomeKeyring: String? { values["--gnome-keyring"] }
    var busDaemon: String? { values["--dbus-daemon"] }
    /// Where `git` is.
    var git: String? { values["--git"] }
    /// `user@host:port` of an sshd that serves repositories of this machine, and takes the settings `client` in the
    /// folder `sshd`.
    var ssh: String? { values["--ssh"] }
    /// The address of an etcd whose certificate of authority and user's password are in the folder `etcd`, and where
    /// `etcdctl` is.
    var etcd: String? { values["--etcd"] }
    var etcdctl: String? { values["--etcdctl"] }
    /// Sizes of the keyring, ascending; of those that are measured of the service, the ones that are wanted.
    var sizes: [Int]? { values["--sizes"]?.split(separator: ",").compactMap { Int($0) } }

    /// Whether a group of measurements is wanted: `messages`, `commits`, `audit`, `reads`, `repair`, `scale`, `program`,
    /// `files`, `ssh`, `import`, `machines`, `fleet`, `agent`, `service` or `keyring`.
    func wants(_ group: String) -> Bool { values["--only"] ?? group == group }
}
