public import SSHFormats

extension Vault {
    /// Takes the lines of a known_hosts file after what is there, in one commit, and reads them back.
    ///
    /// What says nothing new is not taken twice, comments included. Another key for a known name is a
    /// conflict; conflicts do not stop the rest.
    ///
    /// - Parameters:
    ///   - file: the lines to take.
    ///   - conflicts: what happens to a line with another key for a known name.
    ///   - isTrial: whether to say only what would happen.
    /// - Returns: what became of the lines, and which of them are in conflict.
    /// - Throws: `format(.oversized)` for more lines or bytes than the vault keeps; nothing is changed then.
    public func importKnownHosts(
        _ file: KnownHostsFile,
        conflicts: KnownHostsImport.Conflicts = .leave,
        isTrial: Bool = false
    ) throws(VaultError) -> KnownHostsImport {
        try onHostKeys(isTrial: isTrial) { (book, now) throws(SSHFormatError) in
            try book.take(file, conflicts: conflicts, at: now)
        }
    }

    /// Every line that counts, in order, byte for byte.
    public func exportKnownHosts() throws(VaultError) -> KnownHostsFile {
        try transact(HostKeyTransaction.self) { known in known.book.file }
    }
}
