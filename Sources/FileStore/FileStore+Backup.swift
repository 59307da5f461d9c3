internal import Files
public import RecordStore

extension FileStore {
    /// Writes a copy of the vault as it is at one moment into one file of mode 0600, and reads the copy whole before it
    /// gets its name; other processes go on writing meanwhile.
    ///
    /// It is the ciphertext with its key slots: what opens the vault today opens the copy, also when it opens the vault no
    /// longer.
    ///
    /// - Parameters:
    ///   - path: where it goes; any folder will do.
    ///   - replaces: whether a file of that name is replaced; never by a copy with damaged records, as the file may hold
    ///     them whole.
    /// - Returns: what was verified, and the damaged records that the copy has as they are.
    /// - Throws: `alreadyExists`; `tampered` and `corrupt` for a vault that cannot be vouched for otherwise: then there is
    ///   no copy; `diskFull`, `io`.
    public func backUp(to path: String, replaces: Bool = false) throws(StoreError) -> VerifyReport {
        let (connection, sealer) = try unlocked()
        CopyFile.sweep(beside: paths.vault)
        let copy = try CopyFile.begin(beside: path, sealer.entropy)
        try connection.copy(into: copy.draft)
        // A reader of its own: what the vault's one has seen says nothing about the copy.
        let reader = try Sealer(
            keys: sealer.keys,
            vaultID: sealer.vaultID,
            epoch: sealer.epoch,
            entropy: sealer.entropy,
            now: sealer.now
        )
        let report = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            try Self.inspect(rows, reader)
        }
        if replaces, let damaged = report.damaged.first, try FileFacts(path) != nil {
            throw .tampered(damaged.tampered)
        }
        try copy.finish(at: path, replaces: replaces)
        return report
    }
}
