internal import Text
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
            return .fine(.keptCopies, "hsip keeps an old copy in \(location) until \(Times.date(copy.until))")
        }
        return Finding(
            check: .keptCopies,
            state: .notice,
            message: "an old copy of the vault is still in \(location)",
            reason:
                "hsip kept the copy for 30 days after the move; its secret still opens the old content",
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
            message: "a move of the vault to \(target) was interrupted on \(Times.date(note.started))",
            reason: "the vault is in its old place; the incomplete copy is useless",
            hint: "hsip vault migrate --to \(note.target.backend.rawValue)",
            fix: Finding.Fix(question: "Remove the incomplete copy in \(target)?") {
                try leftovers.forget(note, of: record)
            }
        )
    }

    private var leftovers: MigrationLeftovers {
        MigrationLeftovers(context.locator, context.patience)
    }
}
