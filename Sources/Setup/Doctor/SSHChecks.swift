internal import Presentation
package import SSHFormats
package import System
package import Text
package import VaultKit
internal import VaultLifecycle

/// Whether ssh asks the vault about hosts, and does what the vault says.
package struct SSHChecks {
    private let vault: any VaultService
    private let environment: Environment
    private let display: Display
    private let setup: SSHSetup
    /// The settings as they should be, and the hosts in them.
    private let fragment: () async throws -> (SSHConfigFragment, hosts: [String])

    package init(
        _ vault: any VaultService,
        _ environment: Environment,
        _ display: Display,
        _ setup: SSHSetup,
        fragment: @escaping () async throws -> (SSHConfigFragment, hosts: [String])
    ) {
        (self.vault, self.environment, self.display) = (vault, environment, display)
        (self.setup, self.fragment) = (setup, fragment)
    }

    /// Nothing for a vault that has no hosts, and that ssh was never set up for.
    package func findings() async -> [Finding] {
        // What cannot be read of the hosts is found by the checks of the vault.
        await Self.unsigned(vault, display) + securityKeys() + ((try? await wired()) ?? [])
    }

    /// Whether keys in a security key can sign: only OpenSSH's helper reaches the device.
    private func securityKeys() async -> [Finding] {
        let all = (try? await vault(Operations.sshKeys, .kept)) ?? []
        let keys = all.filter { $0.isInUse && $0.algorithm.isSecurityKey }
        guard !keys.isEmpty else { return [] }
        let name = keys.count == 1 ? "the key \(display.name(keys[0].name))" : "\(keys.count) SSH keys"
        guard SecurityKeyProgram.path(in: environment) != nil else {
            return [
                Finding(
                    check: .ssh,
                    state: .warning,
                    message: "ssh-sk-helper is not installed",
                    reason: "\(name) in a security key cannot sign",
                    hint: "apt install openssh-client"
                )
            ]
        }
        return [.fine(.ssh, "ssh-sk-helper is installed for \(name) in a security key")]
    }

    /// Certificates that no CA has signed, of before an import looked at that.
    package static func unsigned(_ vault: any VaultService, _ display: Display) async -> [Finding] {
        var found: [Finding] = []
        for key in (try? await vault(Operations.sshKeys, .kept)) ?? [] where key.certificates > 0 {
            let certificates = (try? await vault(Operations.sshPublicHalf, key.name).certificates) ?? []
            guard certificates.contains(where: { (try? Certificate(signed: $0)) == nil }) else { continue }
            let name = display.name(key.name)
            found.append(
                Finding(
                    check: .ssh,
                    state: .warning,
                    message: "the key \(name) has certificates that no CA has signed",
                    reason: "no server accepts these certificates, and the agent does not offer them",
                    hint: "hsip doctor --fix",
                    fix: Finding.Fix(question: "Remove these certificates of \(name)? The key stays.") {
                        var change = KeyChange()
                        change.dropsUnsigned = true
                        _ = try await vault(Operations.setSSHKey, key.name, change)
                    }
                )
            )
        }
        return found
    }

    private func wired() async throws -> [Finding] {
        let hosts = try await vault(Operations.sshHosts, .kept)
        let known = try await vault(Operations.hostKeys, nil)
        let isActive: Bool
        do throws(Failure) {
            isActive = try setup.isActive()
        } catch {
            return [.problem(.ssh, error)]
        }
        guard isActive else {
            guard !hosts.isEmpty || !known.isEmpty else { return [] }
            return [
                Finding(
                    check: .ssh,
                    state: .notice,
                    message: "ssh does not ask this vault about hosts",
                    reason: "ssh does not use the host keys in the vault",
                    hint: "hsip setup ssh"
                )
            ]
        }
        return [version()] + (try await wiring())
    }

    private func version() -> Finding {
        guard let version = SSHVersion.installed(environment) else {
            return Finding(
                check: .ssh,
                state: .warning,
                message: "OpenSSH is not installed",
                reason: "only OpenSSH can ask the vault about hosts",
                hint: "apt install openssh-client"
            )
        }
        guard version >= .asking else {
            return Finding(
                check: .ssh,
                state: .warning,
                message: "OpenSSH \(version) cannot ask the vault about hosts; \(SSHVersion.asking) can",
                reason: "with these settings ssh refuses every host",
                hint: "hsip setup ssh --undo"
            )
        }
        let how =
            version < .askingByFullName ? ", first by the bare name of a host, which the vault answers" : ""
        return .fine(.ssh, "OpenSSH \(version) asks the vault about hosts\(how)")
    }

    /// The files, and what ssh makes of them.
    private func wiring() async throws -> [Finding] {
        do {
            let (fragment, hosts) = try await fragment()
            let reading = try SSHReading(environment)
            let changes = try setup.changes(to: Array(fragment.text.utf8))
            guard changes.isEmpty else { return [stale(changes, fragment, reading)] }
            let config = setup.places.isElsewhere ? try FoundFile(setup.places.config).bytes ?? [] : nil
            let differences = try reading.differences(fragment, in: config)
            guard let differences, differences.isEmpty else {
                let what = differences?.prefix(3).joined(separator: ", ") ?? "ssh refuses its settings"
                return [.problem(.ssh, SSHSetup.ineffective(differences ?? []), reason: what)]
            }
            let fine = Finding.fine(
                .ssh,
                "ssh uses the vault's settings for \(Plural.of(hosts.count, "host"))"
            )
            let others = try reading.withoutHostKeys(hosts, in: config)
            guard let first = others.first else { return [fine] }
            let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
            return [
                fine,
                Finding(
                    check: .ssh,
                    state: .warning,
                    message:
                        "ssh trusts Kerberos instead of a host key for \(display.cell(first))\(rest)",
                    reason: "with GSSAPIKeyExchange ssh checks no host key and does not ask the vault",
                    hint: "GSSAPIKeyExchange no  in ~/.ssh/config"
                ),
            ]
        } catch let failure as Failure {
            return [.problem(.ssh, failure)]
        } catch let error as ConsoleError {
            return [.problem(.ssh, Failure(error))]
        }
    }

    private func stale(
        _ changes: [FileChange],
        _ fragment: SSHConfigFragment,
        _ reading: SSHReading
    ) -> Finding {
        Finding(
            check: .ssh,
            state: .warning,
            message: "the settings of ssh differ from the vault: "
                + changes.map(\.file.path).joined(separator: ", "),
            reason: "hosts may be missing, or ssh may not ask the vault at all",
            hint: "hsip setup ssh",
            fix: Finding.Fix(question: "Write the settings of ssh again?") {
                try setup.apply(changes, fragment, reading)
            }
        )
    }
}
