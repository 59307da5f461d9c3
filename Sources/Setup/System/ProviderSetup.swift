internal import FileStore
internal import Glibc
package import Presentation
internal import VaultCrypto
package import VaultLifecycle

/// A vault set up as the Secret Service: its files, and the record from which they can be removed.
package struct ProviderSetup {
    package let files: ProviderFiles
    private let vault: String
    private let path: String
    /// The file in which hsip-secrets remembers the collections of the vault; nil if the vault is unknown.
    private let collections: String?

    package init(_ files: ProviderFiles, _ place: VaultPlace) {
        (self.files, vault) = (files, place.key)
        path = Self.path(place)
        let record = try? ConfigFile(path: place.configPath).record(of: place.key)
        collections = record.map { "\(place.paths.anchorFolder)/collections-\(Hex.encode($0.id))" }
    }

    /// The record of this user's setup; nil if no vault is set up.
    package static func record(_ place: VaultPlace) throws(Failure) -> ProviderRecord? {
        try ProviderRecord.read(path(place))
    }

    private static func path(_ place: VaultPlace) -> String {
        place.paths.anchorFolder + "/keyring-setup.json"
    }

    package func record() throws(Failure) -> ProviderRecord? { try ProviderRecord.read(path) }

    /// Whether every file is set up and the service has answered.
    package func isActive() throws(Failure) -> Bool {
        guard let record = try record(), record.vault == vault, record.isTried else { return false }
        return try files.changes().isEmpty
    }

    /// Records the files before they are written, so that they can be removed wherever the setup stops.
    package func begin() throws(Failure) {
        let before = try record()
        var record = before ?? ProviderRecord(vault: vault, folders: [])
        record.vault = vault
        record.folders.formUnion(try files.missingFolders())
        for file in try files.wholeTexts() { record.add(file.text, to: file.path) }
        try record.write(path)
    }

    /// Records that the service answered.
    package func succeed() throws(Failure) {
        files.removeLeftovers()
        guard var record = try record(), !record.isTried else { return }
        record.isTried = true
        try record.write(path)
    }

    /// The changes that remove every file, including the files of earlier runs, and the paths of files that stay.
    ///
    /// A file stays if someone has changed it since: hsip does not remove other people's text.
    package func undoing() throws(Failure) -> (changes: [FileChange], kept: [String]) {
        try files.undoing(try record()?.files ?? [:])
    }

    /// Whether any of the files exists as hsip wrote it.
    package func isAnyThere() throws(Failure) -> Bool { try !undoing().changes.isEmpty }

    /// Removes every file that a setup wrote.
    package func removeFiles() throws(Failure) {
        for change in try undoing().changes { try change.apply() }
    }

    /// Removes the rest after the files are gone and hsip-secrets has ended.
    ///
    /// The rest is its file of collections, the folders that setup made, and last the record.
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
