internal import Glibc
package import VaultPolicy

extension Vault {
    /// Logs the operation that a program is about to perform in a vault that it opened itself, as an agent would.
    ///
    /// A process that opened the vault has its key, and could perform every operation with any other program. So only an
    /// operation that trusts a key or changes a rule is refused if its entry cannot be written. For the others the error is
    /// only reported: a full disk, a read-only medium, a damaged record of the log.
    ///
    /// - Throws: `audit` if the entry of a trusted key or a changed rule cannot be written; the caller must not continue.
    func note(_ request: OperationRequest, by requester: Requester) throws(VaultError) {
        guard audit.folder != nil, request.policy.exposure != .names else { return }
        var request = request
        // An unreadable contact is left out of the entry; the operation itself reports the error.
        request = (try? request.naming(alias(of:))) ?? request
        let acts = request.policy.acts(by: requester, owner: requester.uid) { [] }
        var entries = acts.map { AuditEntry($0, by: requester, request.audit) }
        if let entry = request.entry(besides: acts, by: requester) { entries.append(entry) }
        guard !entries.isEmpty else { return }
        try write(entries)
    }

    /// Logs that this program is about to change the key of the vault.
    package func noteRekey() throws(VaultError) {
        guard audit.folder != nil else { return }
        var entry = AuditEntry(.change, .allowed, time: 0, act: "vault.rekey")
        entry.add(.thisProcess(isOwn: true))
        try write([entry])
    }

    private func write(_ entries: [AuditEntry]) throws(VaultError) {
        let time = now() * 1_000
        do {
            let log = try auditLog()
            for var entry in entries {
                (entry.time, entry.reason) = (time, "inProcess")
                try log.append(entry, isDurable: entry.mustLast)
            }
        } catch {
            let error = VaultError(error)
            guard !entries.contains(where: \.mustLast) else { throw error }
            unlogged?(error)
        }
    }
}

extension Requester {
    /// The program that runs this code and opened the vault itself.
    ///
    /// - Parameter isOwn: whether the program is hsip, for which a person entered the passphrase or another secret.
    /// - Returns: the requester with the ids of this process; it has a terminal if `isOwn`.
    package static func thisProcess(isOwn: Bool) -> Requester {
        Requester(
            uid: geteuid(),
            pid: getpid(),
            program: isOwn ? .own(path: path) : .other(path: path),
            hasTerminal: isOwn
        )
    }

    private static let path: String = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}
