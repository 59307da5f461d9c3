internal import SafeText
internal import VaultLifecycle

/// Old copies of a vault that was moved, and moves that were stopped.
package struct MoveChecks {
    let context: CheckContext

    package init(_ context: CheckContext) { self.context = context }

    package func findings() -> [Finding] {
        guard let record = context.record else { return [] }
        return record.kept.map { kept($0, record) } + (record.move.map { [interrupted($0, record)] } ?? [])
    }

    private func kept(_ copy: KeptCopy, _ record: VaultRecord) -> Finding {
        let location = context.shown(copy.location)
        guard copy.until <= context.now else {
            return .fine(.keptCopies, "an old copy in \(location) is kept until \(Times.date(copy.until))")
        }
        return Finding(
            check: .keptCopies,
            state: .notice,
            message: "an old copy of the vault is still in \(location)",
            reason:
                "it was kept for 30 days after the move; its secret still opens what was in it then",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(question: "Remove the old copy in \(location)?") {
                try leftovers.remove(copy, of: record)
            }
        )
    }

    private func interrupted(_ note: MoveNote, _ record: VaultRecord) -> Finding {
        let target = context.shown(note.target)
        return Finding(
            check: .keptCopies,
            state: .warning,
            message: "a move of the vault to \(target) was stopped on \(Times.date(note.started))",
            reason: "the vault is where it was; what had been copied by then is of no use",
            hint: "hsip vault migrate --to \(note.target.backend.rawValue)",
            fix: Finding.Fix(question: "Remove what the move left in \(target)?") {
                try leftovers.forget(note, of: record)
            }
        )
    }

    private var leftovers: MigrationLeftovers {
        MigrationLeftovers(context.locator, context.patience)
    }
}
