internal import AgentProtocol
package import Presentation
package import SSHFormats
package import Setup
internal import Text
package import VaultKit
internal import VaultLifecycle

/// Makes ssh's settings from the hosts in the vault.
package struct FragmentMaker {
    /// The settings, and the hosts that are in them.
    package struct Made {
        package let fragment: SSHConfigFragment
        package let hosts: [String]
    }

    private let context: Context
    private let vault: any VaultService

    package init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// Makes the settings; a host that cannot be written is named in a warning and left out.
    ///
    /// - Parameters:
    ///   - publishing: Whether a `.pub` file that is missing is written, and certificates.
    ///   - isNew: Whether to decide again if ssh asks the agent for keys; otherwise the recorded choice stays.
    /// - Returns: The settings, and the names of the hosts that are in them.
    /// - Throws: `unavailable` for a program or vault whose path ssh would read as something else; what the
    ///   vault refuses.
    package func make(publishing: Bool = false, isNew: Bool = false) async throws -> Made {
        let place = try context.place()
        let paths = try context.sshPlaces()
        let places = SSHConfigFragment.Places(
            program: try OwnProgram.path(context.environment),
            vault: place.key == "vault" ? nil : place.key,
            agentSocket: try agentSocket(paths, place, isNew: isNew)
        )
        let keys = Dictionary(
            try await vault.whole()(Operations.sshKeys, .kept).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let files = PublicKeyFiles(place)
        var entries: [SSHConfigFragment.Entry] = []
        var published: Set<String> = []
        for host in try await vault(Operations.sshHosts, .kept) {
            var file: String?
            var certificates: [String] = []
            if let name = host.profile.keyReference {
                if let key = keys[name] {
                    file = files.path(of: name)
                    certificates = (0..<key.certificates).map { files.certificatePath(of: name, $0) }
                    if publishing, published.insert(name).inserted {
                        if !Path.isFile(files.path(of: name)) { try context.publish([key]) }
                        try await context.publishCertificates(of: [key], from: vault)
                    }
                } else {
                    warnOfKey(name, of: host.name)
                }
            }
            let entry = SSHConfigFragment.Entry(
                host.profile,
                alias: host.name,
                publicKeyFile: file.map(paths.short),
                certificateFiles: certificates.map(paths.short)
            )
            do throws(SSHFormatError) {
                _ = try SSHConfigFragment.block(of: entry)
                entries.append(entry)
            } catch {
                warnOfHost(host.name, error)
            }
        }
        do throws(SSHFormatError) {
            return Made(
                fragment: try SSHConfigFragment(entries, places: places),
                hosts: entries.map(\.alias)
            )
        } catch {
            throw Failure(
                .unavailable,
                "the path of hsip or of the vault has characters with a special meaning for ssh",
                hint: "hsip doctor"
            )
        }
    }

    /// The agent's socket; nil if neither an agent nor systemd holds it.
    ///
    /// With the socket of an agent that does not run, ssh would not find the keys of another agent.
    private func agentSocket(_ paths: SSHPlaces, _ place: VaultPlace, isNew: Bool) throws -> String? {
        if !isNew, let record = try SetupRecord.read(paths.record), record.vault == place.key {
            return record.agentSocket
        }
        guard !context.globals.avoidsAgent, let socket = try? context.agentPaths().ssh, Path.exists(socket)
        else {
            return nil
        }
        return socket
    }

    private func warnOfKey(_ key: String, of host: String) {
        context.output.warn(
            Warning(
                "sshHostWithoutKey",
                "the key of \(context.output.display.cell(host)) is not in the vault; ssh chooses a key itself",
                hint: "hsip ssh key list",
                fields: ["host": .text(host), "key": .text(key)]
            )
        )
    }

    private func warnOfHost(_ host: String, _ error: SSHFormatError) {
        context.output.warn(
            Warning(
                "sshHostLeftOut",
                "\(context.output.display.cell(host)) cannot be written into ssh settings and is left out: "
                    + error.explanation.message,
                fields: ["host": .text(host)]
            )
        )
    }
}

extension Context {
    /// Where ssh's settings are.
    package func sshPlaces() throws(Failure) -> SSHPlaces {
        try SSHPlaces(try place(), environment)
    }

    /// Writes ssh's settings again after a host or a key's name has changed, if `setup ssh` is in use.
    ///
    /// If the settings cannot be written, hsip only warns, because the vault has the change.
    func refreshSSHSettings(_ vault: any VaultService) async {
        do {
            let setup = try SSHSetup(try sshPlaces(), vault: try place())
            guard try setup.isActive() else { return }
            let made = try await FragmentMaker(self, vault).make(publishing: true)
            try setup.refresh(Array(made.fragment.text.utf8))
        } catch {
            output.warn(
                Warning(
                    "sshSettingsStale",
                    "hsip could not update the ssh settings: \(Failure(error).message)",
                    hint: "hsip setup ssh"
                )
            )
        }
    }
}
