package import Console
internal import FileStore
internal import Glibc
package import VaultLifecycle

/// A vault set up as the Secret Service: its files, and what is remembered for their undoing.
package struct ProviderSetup {
    package let files: ProviderFiles
    private let vault: String
    private let path: String

    package init(_ files: ProviderFiles, _ place: VaultPlace) {
        (self.files, vault) = (files, place.key)
        path = Self.path(place)
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
        let folders = try files.missingFolders().union(before?.folders ?? [])
        try ProviderRecord(vault: vault, folders: folders, isTried: before?.isTried ?? false).write(path)
    }

    /// Notes that the service answered.
    package func succeed() throws(Failure) {
        files.removeLeftovers()
        guard var record = try record(), !record.isTried else { return }
        record.isTried = true
        try record.write(path)
    }

    /// Removes every file that a setup wrote.
    package func removeFiles() throws(Failure) {
        for change in try files.undoing() { try change.apply() }
    }

    /// Removes what is left once the files are gone: folders that were made, and the record at last.
    package func end() throws(Failure) {
        files.removeLeftovers()
        try record()?.removeFolders()
        FileChange.removeLeftovers(beside: path)
        Path.remove(path)
    }
}
