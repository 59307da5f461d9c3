import Foundation
import Support
import Testing

/// A real ssh that connects to a real sshd through a pipe: no port is opened, no login succeeds.
///
/// sshd is the one in /usr/sbin.
struct SSHServer {
    /// What ssh said about the key that the server offered.
    enum Answer: String {
        case new, match, changed, revoked, certified
    }

    /// The program; nil where it is not installed.
    static let program: String? = {
        let path = "/usr/sbin/sshd"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Said of a test that is skipped because there is none.
    static let missing: Comment = "openssh-server is not installed"

    /// A folder for everything that is written here.
    let ssh: OpenSSH

    init() throws {
        ssh = try OpenSSH()
    }

    /// Connects to a server with one host key, or a certificate of it, and reads what ssh thinks of that.
    ///
    /// `file` is the path of the private key; `known` the known_hosts file. Nil if ssh said nothing that is known here.
    func connect(
        to host: String,
        port: Int = 22,
        alias: String? = nil,
        key file: String,
        certificate: String? = nil,
        known: [UInt8]
    ) throws -> (answer: Answer?, log: String) {
        try ssh.write(known, to: "known_hosts")
        var options = [
            "UserKnownHostsFile=\(ssh.path("known_hosts"))", "GlobalKnownHostsFile=none", "User=nobody",
        ]
        if let alias { options.append("HostKeyAlias=\(alias)") }
        try serve(file, certificate: certificate)
        return try run(["-F", "none", "-p", "\(port)"], options: options, host)
    }

    /// The same with the settings of a configuration file.
    func connect(to host: String, key file: String, config: String) throws -> (answer: Answer?, log: String) {
        try serve(file)
        return try run(["-F", ssh.path(config)], options: [], host)
    }

    /// Writes what the server needs.
    private func serve(_ file: String, certificate: String? = nil) throws {
        var settings = [
            "HostKey \(file)", "PidFile none", "UsePAM no", "StrictModes no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no", "AuthorizedKeysFile none",
        ]
        if let certificate { settings.append("HostCertificate \(certificate)") }
        try ssh.write(Array((settings.joined(separator: "\n") + "\n").utf8), to: "sshd_config")
        try ssh.write(Array(script.utf8), to: "sshd-i")
    }

    private func run(
        _ start: [String],
        options more: [String],
        _ host: String
    ) throws -> (answer: Answer?, log: String) {
        let options = [
            "ProxyCommand=/bin/sh \(ssh.path("sshd-i"))", "StrictHostKeyChecking=yes", "BatchMode=yes",
            "LogLevel=DEBUG1", "PreferredAuthentications=none", "IdentityAgent=none", "IdentityFile=none",
            "CheckHostIP=no",
        ]
        let arguments = start + ["-T"] + (options + more).flatMap { ["-o", $0] } + [host, "true"]
        do {
            _ = try ssh.run("/usr/bin/ssh", arguments)
            return (nil, "ssh logged in")
        } catch let failure as OpenSSH.Failure {
            return (Self.answer(in: failure.message), failure.message)
        }
    }

    /// As root, sshd wants a folder in /run, which it gets in a mount of its own where that is allowed.
    private var script: String {
        let start = "exec '\(Self.program ?? "")' -i -e -f '\(ssh.path("sshd_config"))'"
        guard geteuid() == 0 else { return start + " 2>/dev/null\n" }
        let inside = "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && \(start)"
        return """
            [ -d /run/sshd ] || ! unshare -m true 2>/dev/null || exec unshare -m sh -c "\(inside)" 2>/dev/null
            mkdir -p -m 755 /run/sshd
            \(start) 2>/dev/null

            """
    }

    private static func answer(in log: String) -> Answer? {
        // A certificate that fails after its authority matched is looked up again as its plain key.
        let log = log.split(separator: "No matching CA found.").last ?? ""
        if log.contains("REVOKED HOST KEY") { return .revoked }
        if log.contains("IDENTIFICATION HAS CHANGED") { return .changed }
        if log.contains("host certificate.") { return .certified }
        if log.contains("host key.\n") || log.contains("host key.\r\n") { return .match }
        return log.contains("host key is known for") ? .new : nil
    }
}
