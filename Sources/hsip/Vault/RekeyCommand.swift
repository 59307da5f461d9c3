internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip vault rekey`.
struct RekeyCommand: Command {
    static let path = "vault rekey"
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Replace the vault key; the old key cannot read new data.",
        discussion: """
            hsip encrypts every record again in one step; sessions and recovery codes on paper stay \
            valid. Only the passphrase you type is kept. Old backups open with the old secrets and \
            cannot replace the vault any more.

            If someone with the old key could also write the vault's file, use --fresh. A vault in the \
            keyring has no key of its own: its backups get a new one.

              hsip vault rekey
              hsip vault rekey --fresh -o recovery.txt
            """
    )

    @Option(
        help: ArgumentHelp(
            "Drop this slot, by number or kind; may be repeated.",
            valueName: "slot"
        ),
        completion: .list(SlotGroup.Kind.allCases.map(\.rawValue))
    )
    var drop: [String] = []
    @Flag(help: "Keep only the typed passphrase; make a new recovery code.")
    var fresh = false
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write a new recovery code to this file, not the screen.",
        completion: .file()
    )
    var file: String?

    mutating func validate() throws { file = NewFile.named(file) }

    private static let isMoving = Failure(
        .conflict,
        "a move of the vault was begun and has not ended",
        hint: "hsip vault migrate  shows it"
    )

    func run(_ context: Context) async throws {
        if let file, Path.exists(file) { throw NewFile.taken(file, "-o") }
        let place = try context.place()
        let found = try context.find(place)
        do {
            if case .keyring = found { return try await rekey(inKeyring: found, place, context) }
        } catch VaultRekey.Refusal.isMoving {
            throw Self.isMoving
        }
        let overview = try context.findFile(place)
        let opened = try context.unlockFile(place, overview, isByHand: true)
        let store = opened.store
        let slots = try store.slots()
        let dropped = Set(try drop.map { try SlotGroup.find($0, in: slots).number })
        do {
            let rekey = try VaultRekey(
                opened,
                at: context.locator(place),
                keeping: try passphrase(
                    beside: opened.secret,
                    of: store,
                    among: slots.filter { !dropped.contains($0.number) },
                    place,
                    context
                ),
                dropping: dropped,
                isFresh: fresh,
                now: context.now
            )
            guard !rekey.needsCode || file != nil || context.terminal.isAvailable else {
                throw ConsoleError.inputNeeded(flag: "-o FILE")
            }
            let question = context.question("Go on?", after: Self.lines(rekey, context))
            guard try context.agrees(question) else { throw ConsoleError.refused }
            let outcome = try await run(rekey, store, context)
            if try KeySlots.isWithoutKeyring(store) { context.companion = nil }
            // Report the new key before the backups: a disk may be slow, or the person stops.
            try tell(outcome, store, place, context)
            let backups = FirstBackups.make(
                of: store,
                .file(overview),
                at: place,
                showing: context,
                now: context.now
            )
            let made = try tell(backups, rekey, context)
            try succeed(outcome, rekey, made, store, place, context)
        } catch VaultRekey.Refusal.isMoving {
            throw Self.isMoving
        }
    }

    /// The passphrase, where another secret opened the vault: no passphrase ends because another secret was at hand.
    ///
    /// - Returns: nil where none of these slots needs it.
    /// - Throws: `inputNeeded` where nobody can be asked.
    private func passphrase(
        beside secret: Unlock,
        of store: FileStore,
        among slots: [SlotInfo],
        _ place: VaultPlace,
        _ context: Context
    ) throws -> Unlock? {
        guard secret.kind != .passphrase, let slot = slots.first(where: { $0.kind == .passphrase }) else {
            return nil
        }
        let dropping = "hsip vault rekey --drop \(slot.number)"
        guard context.terminal.isAvailable else {
            throw Failure(
                .inputNeeded,
                "the passphrase of slot \(slot.number) would be removed: hsip keeps only a passphrase that you type",
                hint: "\(dropping)  if it is to end; else open the vault by the passphrase"
            )
        }
        context.output.say("A passphrase stays if you type it. To end it: \(dropping)")
        let source = TerminalSecret(context: context) { "Passphrase, to keep it" }
        return try context.explaining {
            let unlocker = context.unlocker(place)
            return try unlocker.trying(source) { secret throws(StoreError) in
                guard secret.kind == .passphrase else { throw .wrongSecret }
                _ = try unlocker.derivingKey(secret) { () throws(StoreError) in try store.testSlot(secret) }
            }.1
        }
    }

    /// Hands a new code over, and only then changes the key.
    private func run(_ rekey: VaultRekey, _ store: FileStore, _ context: Context) async throws
        -> VaultRekey.Outcome
    {
        let code = rekey.needsCode ? try NewRecoveryCode() : nil
        let made = try context.handOver(nil, code, to: file)
        return try await rekey.run(
            context.vault(over: store),
            newCode: code?.secret,
            showing: context,
            now: context.now
        ) {
            made?.remove()
        }
    }

    private func tell(
        _ outcome: VaultRekey.Outcome,
        _ store: FileStore,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        let report = outcome.report
        if let error = outcome.keyringFailure {
            context.output.note(
                "items of slots that are gone stay in the keyring: \(error.explanation.message)"
            )
        }
        if store.noted.contains(.logNotTruncated) {
            context.output.note("another process still reads the old vault, so hsip removes its log later")
        }
        var sheet = FactSheet()
        sheet.add("Vault", context.path(place.file), Cell("has a new key", tone: .good))
        sheet.add("Generation", "\(report.position.epoch).\(report.position.generation)")
        sheet.add("Records", "\(report.records)")
        for slot in report.slots {
            let label = Cell(own: slot.label, context.output.display)
            sheet.add("Slot", Cell("\(slot.number)"), Cell(slot.kind.word), label)
        }
        sheet.add("Offers closed", "\(outcome.offersClosed)")
        try context.output.facts(sheet)
        context.tell(outcome.memoryFailure, keptFrom: context.config(place))
    }

    /// The first backups under the new key.
    ///
    /// - Returns: those that were made.
    private func tell(
        _ backups: [FirstBackups.Attempt],
        _ rekey: VaultRekey,
        _ context: Context
    ) throws -> [MadeBackup] {
        let made = try Self.tell(backups, context)
        if !made.contains(where: { $0.check == .full }) {
            context.output.hint("hsip vault backup --to DIR  makes the first backup under the new key")
        }
        if rekey.fates.contains(where: { !$0.stays }) {
            context.output.hint(
                "hsip vault exposed --since \(Times.rfc3339(context.now))  lists what an old copy still gives away"
            )
        }
        return made
    }

    private func succeed(
        _ outcome: VaultRekey.Outcome,
        _ rekey: VaultRekey,
        _ made: [MadeBackup],
        _ store: FileStore,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        let report = outcome.report
        let gone = rekey.fates.filter { !$0.stays }
        try context.output.succeed([
            "vault": .vault(place, .file(store)), "keyEpoch": .integer(Int64(report.position.epoch)),
            "generation": .integer(Int64(clamping: report.position.generation)),
            "records": .integer(Int64(report.records)), "slots": .list(report.slots.map { .slot($0) }),
            "gone": .list(
                gone.map { ["slot": .slot($0.slot), "why": .text($0.outcome.rawValue)] }
            ),
            "offersClosed": .integer(Int64(outcome.offersClosed)),
            "outputFile": .optional(try rekey.needsCode ? file.map(AbsolutePath.of) : nil),
            "backups": .list(made.map { .text($0.copy.path) }),
        ])
    }
}
