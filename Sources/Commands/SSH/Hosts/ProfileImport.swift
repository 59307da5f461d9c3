internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// Imports a list of host profiles into the vault: either all of them or none.
struct ProfileImport {
    let context: Context
    let vault: any VaultService

    private enum Plan {
        case known(HostSummary)
        case new(NewHost, isRestored: Bool)
    }

    /// Adds the new profiles, and reports the result for every profile.
    ///
    /// - Throws: the error of a profile, with its number; then nothing was changed.
    func take(_ document: ProfileDocument) async throws {
        let living = try await vault(Operations.sshHosts, .kept)
        let there = try await living + vault(Operations.sshHosts, .trash)
        var seen = Seen(living: Set(living.map(\.name)), taken: Set(there.map(\.name)))
        seen.keys = Set(try await vault(Operations.sshKeys, .kept).map(\.name))
        var plans: [Plan] = []
        for (index, entry) in document.entries.enumerated() {
            do {
                // The identifier is thrown away: this only checks the parts of the profile.
                let profile = try HostProfile(id: entry.id ?? HostID(.system), entry.fields)
                try await check(entry.hostKey, of: profile)
                try seen.take(entry, profile)
                if let host = there.first(where: { Self.isSame($0, entry, profile) }) {
                    plans.append(.known(host))
                } else {
                    let removed = there.first { $0.profile.id == entry.id }
                    let host = try Self.new(entry, profile, removed, &seen)
                    plans.append(.new(host, isRestored: removed != nil))
                }
            } catch {
                throw ProfileDocument.located(error, index)
            }
        }
        let new = plans.compactMap { if case .new(let host, _) = $0 { host } else { nil } }
        if new.count > SSHHostImport.many, try !context.agrees("Import \(new.count) profiles?") {
            throw ConsoleError.refused
        }
        var added = new.isEmpty ? [] : try await vault(Operations.addSSHHosts, new)
        if !added.isEmpty { await context.refreshSSHSettings(vault) }
        var table = Table([
            Column("host"), Column("result", .left, .wrapped), Column("address", spare: 2),
            Column("host key", spare: 1),
        ])
        var data: [JSONValue] = []
        for (entry, plan) in zip(document.entries, plans) {
            let host: HostSummary
            let outcome: Cell
            switch plan {
            case .known(let known):
                (host, outcome) = (known, Cell("known already", value: "known", tone: .past))
            case .new(_, let isRestored):
                host = added.removeFirst()
                outcome =
                    isRestored
                    ? Cell("from the trash", value: "restored", tone: .good) : Cell("imported", tone: .good)
            }
            let pinned = try await pin(entry.hostKey, of: host)
            table.add([
                Cell(host.name),
                outcome,
                Cell(HostWord.text(host.profile.address), value: host.profile.address.lookup), Cell(pinned),
            ])
            data.append([
                "outcome": .text(outcome.value), "host": try await .sshHost(host, vault),
                "hostKey": .text(pinned),
            ])
        }
        try context.output.table(table)
        for case .new(let host, _) in plans { try await warnOfName(host) }
        warnOfPasswords(document)
        try context.output.succeed(["profiles": .list(data)])
    }

    /// Refuses a pinned key that contradicts the vault.
    private func check(_ key: PublicKey?, of profile: HostProfile) async throws {
        guard let key else { return }
        switch try await vault(Operations.checkHostKey, key, profile.lookupName, false).verdict {
        case .new, .match, .certified: return
        case .changed: throw VaultError.ssh(.hostKeyChanged)
        case .revoked: throw VaultError.ssh(.hostKeyRevoked)
        }
    }

    /// Warns of a profile with the name of another machine: ssh with that name then leads to the profile's host.
    private func warnOfName(_ host: NewHost) async throws {
        guard let name = try? HostName(alias: host.name), name.name != host.fields.host.lowercased() else {
            return
        }
        var isHost = name.name.contains(".")
        if !isHost { isHost = try await !vault(Operations.knownHosts, [name]).isEmpty }
        guard isHost else { return }
        let address = context.output.display.cell(host.fields.host)
        context.output.warn(
            Warning(
                "profileNameIsHost",
                "\(name.name) is the name of a host; with this profile, ssh \(name.name) leads to \(address)",
                hint: "hsip ssh host set \(ShellWord.quoted(name.name)) --name NAME",
                fields: ["host": .text(name.name), "address": .text(host.fields.host)]
            )
        )
    }

    private func pin(_ key: PublicKey?, of host: HostSummary) async throws -> String {
        guard let key else { return "none" }
        let outcome = try await vault.trustHostKey(key, for: host.profile.lookupName, source: .imported)
        return outcome.isNew ? "trusted" : "known"
    }

    private func warnOfPasswords(_ document: ProfileDocument) {
        let count = document.entries.count(where: \.hadPassword)
        guard count > 0 else { return }
        let what = count == 1 ? "1 password was" : "\(count) passwords were"
        context.output.warn(
            Warning(
                "passwordsLeftOut",
                "\(what) not imported, since profiles keep no passwords; ssh will ask",
                fields: ["count": .integer(count)]
            )
        )
    }

    /// Whether a profile in use equals the entry: by its identifier, or in all fields if the entry has no identifier.
    private static func isSame(
        _ host: HostSummary,
        _ entry: ProfileDocument.Entry,
        _ profile: HostProfile
    ) -> Bool {
        guard host.removedAt == nil else { return false }
        return entry.id.map { host.profile.id == $0 } ?? (host.profile.fields == profile.fields)
    }

    private static func new(
        _ entry: ProfileDocument.Entry,
        _ profile: HostProfile,
        _ removed: HostSummary?,
        _ seen: inout Seen
    ) throws -> NewHost {
        if let key = profile.keyReference, !seen.keys.contains(key) { throw VaultError.ssh(.unknownKey) }
        // A profile from the trash keeps its name, unless another profile has it by now.
        let old = removed.flatMap { seen.living.contains($0.name) ? nil : $0.name }
        let name = try seen.claim(entry.name ?? old, for: profile)
        return NewHost(
            name: name,
            fields: entry.fields,
            id: entry.id,
            extras: entry.extras,
            isDefault: entry.isDefault
        )
    }
}
