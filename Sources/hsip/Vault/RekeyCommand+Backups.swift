internal import CommandKit
internal import Console
internal import FileStore
internal import VaultLifecycle

/// What came of the first backups under a new key.
extension RekeyCommand {
    /// Tells which were made, and which folders took none.
    ///
    /// - Returns: those that were made.
    /// - Throws: what ends the output.
    static func tell(_ backups: [FirstBackups.Attempt], _ context: Context) throws -> [MadeBackup] {
        let made = backups.compactMap { try? $0.result.get().made }
        var sheet = FactSheet()
        for copy in made {
            let state = copy.check == .full ? Cell("sound", tone: .good) : Cell("damaged", tone: .danger)
            sheet.add("Backup", context.path(copy.copy.path), state)
        }
        if !made.isEmpty { try context.output.facts(sheet) }
        for case (let folder, .failure(let error)) in backups.map({ ($0.folder, $0.result) }) {
            let refusal = (error as? FolderBackup.Refusal).map { BackupCommand.explain($0, context) }
            let reason = (refusal ?? Failures.explain(error)).message
            context.output.note("no backup in \(context.path(folder).shown): \(reason)")
        }
        return made
    }
}
