internal import Commands
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultLifecycle

extension VaultGroup.Migrate {
    /// Opens the vault where it was recorded; that another process moved it meanwhile is no damage.
    static func open(
        _ record: VaultRecord,
        _ found: FoundVault,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> OpenedStore {
        do {
            return try context.open(found, at: place)
        } catch let error as StoreError {
            guard try context.settledRecord(place)?.location == record.location else {
                throw MigrationError.overtaken
            }
            throw error
        }
    }

    /// That the vault could be a file is no advice here: it is one.
    static func elsewhere<R>(_ body: () throws(StoreError) -> R) throws -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            var failure = Failure(error)
            if failure.hint?.hasPrefix("hsip vault migrate") == true { failure.hint = "hsip doctor" }
            throw failure
        }
    }

    func ask(
        _ record: VaultRecord,
        _ source: OpenedStore,
        _ target: Location?,
        _ context: Context
    ) throws {
        let count = try source.store.read { reader throws(StoreError) in try reader.list(nil).count }
        if record.move != nil { context.output.note("an earlier move was interrupted and starts over") }
        let goal =
            target?.text(context) ?? collection.map { "the keyring “\($0)”" } ?? "the default keyring"
        let from = record.location?.text(context) ?? ""
        let what = count == 1 ? "1 record" : "\(count) records"
        guard try context.agrees("Move the vault with \(what) from \(from) to \(goal)?") else {
            throw ConsoleError.refused
        }
    }

    func migration(
        of source: OpenedStore,
        _ record: VaultRecord,
        at place: VaultPlace,
        to target: MigrationTarget,
        _ context: Context
    ) -> VaultMigration {
        VaultMigration(
            of: source,
            record,
            at: context.locator(place),
            to: target,
            showing: context,
            watch: { try SignalWatch() },
            now: { context.now }
        )
    }

    func run(_ migration: VaultMigration, at place: VaultPlace, _ context: Context) throws {
        let outcome = try migration.run()
        migration.source.lock()
        migration.outdate(context.companion)
        context.companion = nil
        guard let present = try context.settledRecord(place) else { throw MigrationError.overtaken }
        let report = MoveReport(
            place: place,
            record: present,
            from: migration.record.location,
            outcome: outcome,
            outputFile: try secrets.file.map(AbsolutePath.of)
        )
        try report.show(context)
        if case .keyring = migration.record.location {
            context.output.note(
                "every program of yours still reads the old copy in the keyring; hsip vault migrate --forget removes it"
            )
        }
    }
}

extension Context {
    /// What is recorded of the vault, after ending a move that was stopped between its turning point and the
    /// writing down of it: the anchor has been raised to the copy, so the copy is the vault.
    func settledRecord(_ place: VaultPlace) throws -> VaultRecord? {
        try explaining { try locator(place).settledRecord() }
    }
}
