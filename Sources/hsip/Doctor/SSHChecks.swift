internal import Console
internal import Programs
internal import SSHFormats
internal import SafeText
internal import SystemSetup
internal import VaultKit
internal import VaultLifecycle

/// Whether ssh asks the vault about hosts, and does what the vault says.
struct SSHChecks {
    let context: Context
    let vault: any VaultService

    /// Nothing for a vault that has no hosts, and that ssh was never set up for.
    func findings() async throws -> [Finding] {
        let hosts = try await vault.sshHosts()
        let known = try await vault.hostKeys()
        let setup = try SSHSetup(try context.sshPlaces(), vault: try context.place())
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
                    reason: "what it knows of them is of no use to ssh",
                    hint: "hsip setup ssh"
                )
            ]
        }
        return [version()] + (try await wiring(setup))
    }

    private func version() -> Finding {
        guard let version = SSHVersion.installed(context.environment) else {
            return Finding(
                check: .ssh,
                state: .warning,
                message: "the ssh that is installed is not OpenSSH, or there is none",
                reason: "another one does not ask the vault about hosts",
                hint: "apt install openssh-client"
            )
        }
        guard version >= .asking else {
            return Finding(
                check: .ssh,
                state: .warning,
                message: "OpenSSH \(version) cannot ask the vault about hosts; \(SSHVersion.asking) can",
                reason: "with these settings it refuses every host",
                hint: "hsip setup ssh --undo"
            )
        }
        let how = version < .askingByFullName ? ", by the bare name of a host first, which is answered" : ""
        return .fine(.ssh, "OpenSSH \(version) asks the vault about hosts\(how)")
    }

    /// The files, and what ssh makes of them.
    private func wiring(_ setup: SSHSetup) async throws -> [Finding] {
        do {
            let made = try await FragmentMaker(context, vault).make()
            let reading = try SSHReading(context.environment)
            let changes = try setup.changes(to: Array(made.fragment.text.utf8))
            guard changes.isEmpty else { return [stale(changes, setup, made.fragment, reading)] }
            let config = setup.places.isElsewhere ? try FoundFile(setup.places.config).bytes ?? [] : nil
            let differences = try reading.differences(made.fragment, in: config)
            guard let differences, differences.isEmpty else {
                let what = differences?.prefix(3).joined(separator: ", ") ?? "it refuses its settings"
                return [.problem(.ssh, SSHSetup.ineffective(differences ?? []), reason: what)]
            }
            let fine = Finding.fine(
                .ssh,
                "ssh does what the vault says of \(Plural.of(made.hosts.count, "host"))"
            )
            let others = try reading.withoutHostKeys(made.hosts, in: config)
            guard let first = others.first else { return [fine] }
            let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
            return [
                fine,
                Finding(
                    check: .ssh,
                    state: .warning,
                    message:
                        "ssh takes the word of Kerberos for \(context.output.display.cell(first))\(rest)",
                    reason: "with GSSAPIKeyExchange no host key is checked, and the vault is not asked",
                    hint: "GSSAPIKeyExchange no  in ~/.ssh/config"
                ),
            ]
        } catch let failure as Failure {
            return [.problem(.ssh, failure)]
        } catch let error as ConsoleError {
            return [.problem(.ssh, Failures.explain(error))]
        }
    }

    private func stale(
        _ changes: [FileChange],
        _ setup: SSHSetup,
        _ fragment: SSHConfigFragment,
        _ reading: SSHReading
    ) -> Finding {
        Finding(
            check: .ssh,
            state: .warning,
            message: "the settings of ssh are not what the vault says: "
                + changes.map(\.file.path).joined(separator: ", "),
            reason: "hosts may be missing, or ssh may not ask the vault at all",
            hint: "hsip setup ssh",
            fix: Finding.Fix(question: "Write the settings of ssh anew?") {
                try setup.apply(changes, fragment, reading)
            }
        )
    }
}
