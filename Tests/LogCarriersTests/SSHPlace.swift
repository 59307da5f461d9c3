import Glibc
import LogCarriers
import Programs

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
        let serve = try scratch.write("serve", try Self.script(settings), mode: 0o700)
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

    /// As root it wants a folder in /run, which it gets in a mount of its own, or, where there are none, as it is.
    private static func script(_ settings: String) throws -> String {
        let sshd = "/usr/sbin/sshd -i -f \(settings)"
        guard geteuid() == 0, unsafe access("/run/sshd", F_OK) != 0 else {
            return "#!/bin/sh\nexec \(sshd)\n"
        }
        let framed = "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec"
        return """
            #!/bin/sh
            if unshare -m true 2>/dev/null; then exec unshare -m sh -c '\(framed) \(sshd)'; fi
            mkdir -p -m 755 /run/sshd
            exec \(sshd)

            """
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
