internal import FileStore
internal import Glibc
package import Presentation
internal import VaultCrypto
package import VaultLifecycle

/// A vault set up as the Secret Service: its files, and what is remembered for their undoing.
package struct ProviderSetup {
    package let files: ProviderFiles
    private let vault: String
    private let path: String
    /// The file in which hsip-secrets remembers the collections of the vault; nil where it is not known which vault that is.
    private let collections: String?

    package init(_ files: ProviderFiles, _ place: VaultPlace) {
        (self.files, vault) = (files, place.key)
        path = Self.path(place)
        let record = try? ConfigFile(path: place.configPath).record(of: place.key)
        collections = record.map { "\(place.paths.anchorFolder)/collections-\(Hex.encode($0.id))" }
    }

    /// The record of this user's setup; nil where none of the vaults is set up.
    package static func record(_ place: VaultPlace) throws(Failure) -> ProviderRecord? {
        try ProviderRecord.read(path(place))
    }

    private static func path(_ place: VaultPlace) -> String {
        place.paths.anchorFolder + "/keyring-setup.json"
    }

    package func record() throws(Failure) -> ProviderRecord? { try ProviderRecord.read(path) }

    /// Whether it is set up whole, and was tried.
    package func isActive() throws(Failure) -> Bool {
        guard let record = try record(), record.vault == vault, record.isTried else { return false }
        return try files.changes().isEmpty
    }

    /// Notes what is about to be written: so it can be removed, wherever this stops.
    package func begin() throws(Failure) {
        let before = try record()
        var record = before ?? ProviderRecord(vault: vault, folders: [])
        record.vault = vault
        record.folders.formUnion(try files.missingFolders())
        for file in try files.wholeTexts() { record.add(file.text, to: file.path) }
        try record.write(path)
    }

    /// Notes that the service answered.
    package func succeed() throws(Failure) {
        files.removeLeftovers()
        guard var record = try record(), !record.isTried else { return }
        record.isTried = true
        try record.write(path)
    }

    /// What has to change so that none of the files is there, also of those that another run made, and those that stay: someone
    /// has changed them since, and what they hold now is not hsip's to remove.
    package func undoing() throws(Failure) -> (changes: [FileChange], kept: [String]) {
        try files.undoing(try record()?.files ?? [:])
    }

    /// Whether any of the files is there as it was written.
    package func isAnyThere() throws(Failure) -> Bool { try !undoing().changes.isEmpty }

    /// Removes every file that a setup wrote.
    package func removeFiles() throws(Failure) {
        for change in try undoing().changes { try change.apply() }
    }

    /// Removes what is left once the files are gone and hsip-secrets has ended: what that remembers of collections, folders
    /// that were made, and the record at last.
    package func end() throws(Failure) {
        files.removeLeftovers()
        if let collections {
            FileChange.removeLeftovers(beside: collections)
            Path.remove(collections)
        }
        try record()?.removeFolders()
        FileChange.removeLeftovers(beside: path)
        Path.remove(path)
    }
}
