import Glibc
import LogCarriers
import System

/// A bare repository behind an sshd of the test's own.
///
/// It has no port: each connection starts one (`sshd -i`).
struct SSHPlace: Place {
    let git: GitPlace
    private let command: String

    init() throws {
        git = try GitPlace()
        let scratch = git.scratch
        for key in ["host", "user"] {
            try tool([
                "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "\(scratch.path)/\(key)",
            ])
        }
        let userKey = try tool(["cat", "\(scratch.path)/user.pub"])
        let hostKey = try tool(["cat", "\(scratch.path)/host.pub"])
        let authorized = try scratch.write("authorized_keys", userKey)
        let known = try scratch.write("known_hosts", "vault.example " + hostKey)
        let settings = try scratch.write(
            "sshd_config",
            """
            HostKey \(scratch.path)/host
            PidFile none
            UsePAM no
            StrictModes no
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PrintMotd no
            PermitUserRC no
            AuthorizedKeysFile \(authorized)

            """
        )
        let serve = try scratch.write("serve", Self.script(settings), mode: 0o700)
        let client = try scratch.write(
            "ssh_config",
            """
            Host *
              ProxyCommand \(serve)
              IdentityFile \(scratch.path)/user
              IdentitiesOnly yes
              BatchMode yes
              UserKnownHostsFile \(known)
              GlobalKnownHostsFile /dev/null

            """
        )
        command = "ssh -F \(client)"
    }

    /// What has to stand before sshd: as root it wants a folder in /run, which it gets in a mount of its own.
    private static let frame: String? = {
        guard geteuid() == 0, unsafe access("/run/sshd", F_OK) != 0 else { return nil }
        let mounted = "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd"
        let probe = try? tool(["unshare", "-m", "sh", "-c", "\(mounted) && echo yes"], mayFail: true)
        if probe == "yes\n" { return mounted }
        // No mounts in this container: then the folder itself, until the tests end.
        if unsafe mkdir("/run/sshd", 0o755) == 0 {
            atexit { _ = unsafe rmdir("/run/sshd") }
        }
        return nil
    }()

    private static func script(_ settings: String) -> String {
        let sshd = "/usr/sbin/sshd -i -f \(settings)"
        guard let frame else { return "#!/bin/sh\nexec \(sshd)\n" }
        return "#!/bin/sh\nexec unshare -m sh -c '\(frame) && exec \(sshd)'\n"
    }

    func carrier(_ machine: Int) throws -> any LogCarrier { try carrier(machine, host: "vault.example") }

    func carrier(_ machine: Int, host: String) throws -> GitCarrier {
        let user = try tool(["id", "-un"]).split(separator: "\n").first ?? "root"
        return try git.git(
            machine,
            address: "ssh://\(user)@\(host)\(git.remote)",
            variables: ["GIT_SSH_COMMAND": command]
        )
    }
}
