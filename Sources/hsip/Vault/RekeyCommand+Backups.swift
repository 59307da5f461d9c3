internal import CommandKit
internal import Console
internal import FileStore
internal import VaultLifecycle

/// What came of the first backups under a new key.
extension RekeyCommand {
    /// Adds those that were made to a sheet.
    ///
    /// - Returns: their paths.
    static func add(
        _ backups: [FirstBackups.Attempt],
        to sheet: inout FactSheet,
        _ context: Context
    ) -> [String] {
        let made = backups.compactMap { try? $0.result.get().made.copy.path }
        for path in made { sheet.add("Backup", context.path(path), Cell("sound", tone: .good)) }
        return made
    }

    /// Tells which folders took none.
    static func tellFailures(_ backups: [FirstBackups.Attempt], _ context: Context) {
        for case (let folder, .failure(let error)) in backups.map({ ($0.folder, $0.result) }) {
            let refusal = (error as? FolderBackup.Refusal).map { BackupCommand.explain($0, context) }
            let reason = (refusal ?? Failures.explain(error)).message
            context.output.note("no backup in \(context.path(folder).shown): \(reason)")
        }
    }
}
