public import HSIP
public import VaultCrypto

extension Vault {
    /// Every living session, the sending one of each contact first.
    public func sessions() throws(VaultError) -> [SessionSummary] {
        try contacts().flatMap(\.sessions)
    }

    /// Ends every session with a contact; the reply carries the ONE notice to send, if it could be made.
    public func revokeSessions(
        of alias: String,
        reason: RevokeReason = .none
    ) throws(VaultError) -> Reply {
        try act { book throws(VaultError) in .revokeSessions(try book.named(alias).peerID, reason) }
    }

    /// Imports a 32-byte key of an older HSIP program.
    public func importKey(_ request: LegacyImport) throws(VaultError) -> Reply {
        try act { _ in .importLegacy(request) }
    }

    /// Gives out an imported key, for an older program.
    ///
    /// A paired session answers `exportRefused`.
    public func exportKey(of alias: String) throws(VaultError) -> Secret {
        let (outcome, _) = try perform(.all) { book throws(VaultError) in
            .exportLegacy(try book.named(alias).peerID)
        }
        guard case .exported(let key) = outcome.result else { throw .hsip(.exportRefused) }
        return key
    }
}
