internal import Commands
internal import HSIP
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Setup
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// What `status` shows.
struct StatusScreen {
    /// What is known only when the vault is open.
    struct Inside {
        let identity: IdentitySummary?
        let contacts: Int
        let sessions: Int
        let openOffers: Int
        let isClockSuspect: Bool
        let attention: [Attention]
        /// The log that the vault shares with other machines; nil if it shares none.
        let log: LogSummary?

        /// Looks into an open vault.
        static func of(
            _ vault: any VaultService,
            hasRecovery: Bool,
            isPassphraseUnused: Bool,
            isAnchorMissing: Bool,
            _ record: VaultRecord?
        ) async throws -> Inside {
            let identity = try await identity(of: vault)
            let people = identity == nil ? [] : try await vault(Operations.contacts, .kept)
            let offers = identity == nil ? 0 : try await vault.openOffers().count
            let isSuspect = identity == nil ? false : try await vault.clockMark().isSuspect
            var ending = CredentialQuery()
            ending.expiresBefore = UInt64(max(0, Times.now())) + Attention.secretNotice
            let secrets = try await vault.credentials(ending)
            // The commands for hosts report unreadable ones.
            let hosts = (try? await vault(Operations.hostKeys, nil)) ?? []
            let trusted = Attention.of(people) + Attention.of(hosts)
            let ofVault = Attention.ofVault(
                isClockSuspect: isSuspect,
                isAnchorMissing: isAnchorMissing,
                isRecoveryTested: record?.recoveryTestedAt != nil || !hasRecovery,
                isRekeyAdvised: record?.rekeyAdvisedAt != nil,
                isPassphraseUnused: isPassphraseUnused
            )
            return Inside(
                identity: identity,
                contacts: people.count,
                sessions: people.count { $0.sending != nil },
                openOffers: offers,
                isClockSuspect: isSuspect,
                attention: Attention.sorted(
                    trusted + Attention.ofBackup(trusted) + Attention.of(secrets) + ofVault
                ),
                log: try await vault(Operations.logState)
            )
        }

        private static func identity(of vault: any VaultService) async throws -> IdentitySummary? {
            do {
                return try await vault(Operations.identity)
            } catch VaultError.noIdentity {
                return nil
            }
        }
    }

    let place: VaultPlace
    let found: FoundVault
    let record: VaultRecord?
    /// Nil while the vault is locked, like what is inside.
    var store: OpenedStore?
    var inside: Inside?
    /// The agent, where one runs.
    var agent: AgentSheet?

    func show(_ context: Context) throws {
        try context.output.facts(sheet(context))
        if context.console.outputIsTerminal { try list(context) }
        try context.output.succeed(json(context))
    }

    private func sheet(_ context: Context) -> FactSheet {
        var sheet = FactSheet()
        switch found {
        case .file: context.addVault(place, to: &sheet)
        case .keyring: context.addVault(in: collection?.path ?? "", collection?.label ?? "", to: &sheet)
        }
        if let reason = record?.reason {
            sheet.add("Because", Cell(reason.text, value: reason.rawValue))
        }
        sheet.add("State", inside == nil ? "locked" : "open")
        if let agent { sheet.add("Agent", agent.state(context.output.display)) }
        sheet.add("Other programs", context.provider.cell)
        guard let inside else { return sheet }
        if let identity = inside.identity {
            sheet.add(
                "Identity",
                Cell(own: identity.name, context.output.display),
                Cell(identity.peerID.text)
            )
        } else {
            sheet.add("Identity", Cell("none: hsip init makes one", value: ""))
        }
        sheet.add("Contacts", "\(inside.contacts)")
        sheet.add("Sessions", "\(inside.sessions)")
        sheet.add("Open offers", "\(inside.openOffers)")
        if let log = inside.log { sheet.add("Machines", cells: machines(log, context)) }
        guard !context.console.outputIsTerminal else { return sheet }
        for item in inside.attention {
            sheet.add(
                "Attention",
                Cell(item.kind.rawValue),
                Cell(item.subject ?? ""),
                Cell(item.codeKind ?? ""),
                Cell(item.dueAt.map { Times.rfc3339($0) } ?? ""),
                Cell(item.hint ?? "")
            )
        }
        return sheet
    }

    /// The machines that share the vault, and what is left to do.
    private func machines(_ log: LogSummary, _ context: Context) -> [Cell] {
        let names = log.machines.map(\.name).joined(separator: ", ")
        let left = LogChecks.left(log).map { finding in
            Cell([finding.message, finding.hint].compactMap(\.self).joined(separator: ": "))
        }
        return [Cell(context.output.display.cell(names, columns: .max), value: names)] + left
    }

    private func list(_ context: Context) throws {
        guard let inside, !inside.attention.isEmpty, !context.isJSON else { return }
        var table = Table([Column("needs you"), Column("what", .left, .wrapped), Column("do", .left, .whole)])
        for item in inside.attention {
            table.add([
                item.subject.map { Cell(own: $0, context.output.display) } ?? Cell("this vault"),
                Cell(item.text(now: context.now), tone: item.tone),
                Cell(context.output.display.text(item.hint ?? "")),
            ])
        }
        try context.output.line("")
        try context.output.table(table)
    }

    private func json(_ context: Context) -> JSONValue {
        [
            "vault": .vault(place, id: found.vaultID, found.backend), "locked": .bool(inside == nil),
            "agent": agent?.brief ?? .null,
            "identity": inside?.identity.map { .identity($0) } ?? .null,
            "contacts": .optional(inside.map { Int64($0.contacts) }),
            "sessions": .optional(inside.map { Int64($0.sessions) }),
            "openOffers": .optional(inside.map { Int64($0.openOffers) }),
            "clockSuspect": inside.map { .bool($0.isClockSuspect) } ?? .null,
            "attention": .list(inside?.attention.map(\.json) ?? []), "store": storeJSON,
            "provider": .text(context.provider.rawValue), "machines": machinesJSON,
        ]
    }

    private var machinesJSON: JSONValue {
        guard let log = inside?.log else { return .null }
        return [
            "names": .list(log.machines.map { .text($0.name) }), "stage": .text(log.stage.rawValue),
            "waiting": .bool(log.isWaiting), "conflicts": .integer(Int64(log.conflicts)),
            "kept": .integer(Int64(log.kept)), "restored": .bool(log.isRestored),
        ]
    }

    /// What keeps the vault, whether it answered, and why it was chosen.
    private var storeJSON: JSONValue {
        let collection: JSONValue? = collection.map {
            ["path": .text($0.path), "label": .text($0.label), "locked": .bool(inside == nil)]
        }
        return [
            "backend": .text(found.backend.word), "why": .optional(record?.reason?.rawValue),
            "answers": found.backend == .file ? .null : true, "collection": collection ?? .null,
        ]
    }

    /// As it is now, or as it was recorded.
    private var collection: (path: String, label: String)? {
        if case .keyring(let store) = store { return (store.collection.path, store.collection.label) }
        if case .keyring(let collection, let label) = record?.storage { return (collection, label) }
        return nil
    }
}
