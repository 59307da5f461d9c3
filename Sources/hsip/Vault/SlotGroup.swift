internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// The key slots: what opens the vault.
struct SlotGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot",
        abstract: "Manage the key slots that open the vault.",
        subcommands: [List.self, Add.self, Set.self, Remove.self, Test.self]
    )

    /// The kinds that can be made here.
    enum Kind: String, KeyringChoice, CaseIterable {
        case passphrase, recovery, keyring, tpm2, fido2

        /// The kinds of slot that are called so, an earlier program's too.
        var slotKinds: [SlotKind] {
            switch self {
            case .passphrase: [.passphrase]
            case .recovery: [.plainRecovery, .recovery]
            case .keyring: [.secretService]
            case .tpm2: [.tpm]
            case .fido2: [.securityKey]
            }
        }

        /// The default name of a slot of the kind.
        var label: String {
            switch self {
            case .passphrase: "passphrase"
            case .recovery: "paper"
            case .keyring: KeySlots.keyringLabel
            case .tpm2: OwnMachine.name
            case .fido2: "security key"
            }
        }

        /// The kind of a slot, if it can be made here.
        init?(_ kind: SlotKind) {
            guard let found = Self.allCases.first(where: { $0.slotKinds.contains(kind) }) else { return nil }
            self = found
        }
    }

    /// Every slot.
    struct List: Command {
        static let path = "vault slot list"
        static let configuration = CommandConfiguration(
            abstract: "List the key slots.",
            discussion: """
                  hsip vault slot list
                """
        )

        func run(_ context: Context) async throws {
            let slots = try SlotMaking.open(context).store.slots()
            var table = Table([
                Column("slot", .right), Column("kind", .left, .whole), Column("label"),
                Column("made", .left, .whole, spare: 2), Column("protection", .left, .wrapped, spare: 1),
            ])
            for slot in slots { table.add(SlotGroup.cells(slot, context)) }
            try context.output.table(table)
            try context.output.succeed(["slots": .list(slots.map { .slot($0) })])
        }
    }

    /// Takes one away.
    struct Remove: Command {
        static let path = "vault slot rm"
        static let configuration = CommandConfiguration(
            commandName: "rm",
            abstract: "Remove a key slot.",
            discussion: """
                You cannot remove the last slot that works on another machine. A removed secret still \
                opens old backups, and anyone who used it may have the vault key: hsip vault rekey ends \
                that for all later data.

                  hsip vault slot rm 3
                  hsip vault slot rm keyring
                """
        )

        @Argument(help: "The slot's number, or its kind if there is only one.")
        var slot: String

        func run(_ context: Context) async throws {
            let opened = try SlotMaking.open(context)
            let (place, store) = (opened.place, opened.store)
            let slots = try store.slots()
            let found = try SlotGroup.find(slot, in: slots)
            try store.checkRemoval(of: found.number)
            let question = context.question(
                "Remove slot \(found.number), \(found.kind.word)?",
                after: [try SlotGroup.oldCopies(of: place, store, context)]
            )
            guard try context.agrees(question) else { throw ConsoleError.refused }
            try store.removeSlot(found.number)
            if found.kind == .secretService { NewKeyringSlot.forget(found.number, store, context) }
            try SlotGroup.show(found, "removed", context)
            context.remember(store.vaultID, at: place) { $0.adviseRekey(context.now) }
            SlotGroup.tellRekey(context)
            try context.output.succeed([
                "slot": .slot(found), "remaining": .integer(Int64(try store.slots().count)),
            ])
        }
    }

    /// What a secret that ends goes on opening.
    static func oldCopies(of place: VaultPlace, _ store: FileStore, _ context: Context) throws -> String {
        let record = try context.config(place).record(of: place.key)
        let copies = OldCopies(of: place, store.vaultID, record)
        var parts: [String] = []
        if let newest = copies.newest {
            let folder = context.path(newest.folder).shown
            parts.append(
                "\(Plural.of(copies.backups, "backup")), the newest of \(Times.date(newest.at)) in \(folder)"
            )
        }
        if copies.kept == 1 { parts.append("1 kept copy") }
        if copies.kept > 1 { parts.append("\(copies.kept) kept copies") }
        let known = parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))"
        return "Its secret still opens old copies of the vault's file\(known)."
    }

    /// What ends that for all that comes later.
    static func tellRekey(_ context: Context) {
        context.output.hint("hsip vault rekey  if others may know that secret, then hsip vault backup")
    }

    /// The slot that a number or a kind names.
    static func find(_ word: String, in slots: [SlotInfo]) throws -> SlotInfo {
        if let number = UInt32(word) {
            guard let slot = slots.first(where: { $0.number == number }) else { throw StoreError.noSuchSlot }
            return slot
        }
        let kinds = Kind(argument: word)?.slotKinds ?? []
        let found = slots.filter { $0.kind.word == word || kinds.contains($0.kind) }
        guard let slot = found.first else { throw StoreError.noSuchSlot }
        guard found.count == 1 else {
            throw Failure(
                .inputNeeded,
                "there are \(found.count) slots of this kind",
                hint: "hsip vault slot list  shows their numbers"
            )
        }
        return slot
    }

    /// A line about one slot.
    static func show(_ slot: SlotInfo, _ what: String, _ context: Context) throws {
        var sheet = FactSheet()
        sheet.add(
            "Slot",
            Cell("\(slot.number)"),
            Cell(slot.kind.word),
            Cell(own: slot.label, context.output.display),
            Cell(what)
        )
        try context.output.facts(sheet)
    }

    private static func cells(_ slot: SlotInfo, _ context: Context) -> [Cell] {
        let made = Int64(clamping: slot.created / 1_000)
        let device = slot.device?.words
        let cost = slot.parameters.map { "\($0.operations) × \($0.kibibytes >> 10) MiB a guess" } ?? device
        let exact = slot.parameters.map { "\($0.operations),\($0.kibibytes)" } ?? device
        return [
            Cell("\(slot.number)"), Cell(slot.kind.word), Cell(own: slot.label, context.output.display),
            Cell(Times.date(made), value: Times.rfc3339(made)), Cell(cost ?? "", value: exact ?? ""),
        ]
    }
}
