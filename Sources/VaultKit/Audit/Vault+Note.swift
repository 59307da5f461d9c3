internal import Glibc
package import VaultPolicy

extension Vault {
    /// Writes down what a program is about to do that opened the vault itself: what an agent would write of it.
    ///
    /// Anyone who opens a vault in a process of their own has its key, and could do all of it with any other program: only what
    /// believes a key or changes a rule is refused for the log's sake. For all else, what keeps an entry from being written
    /// is said instead, whatever it is: a full disk, a medium for reading only, a damaged record of the log.
    ///
    /// - Throws: `audit`: what changes a rule or believes a key could not be written, and is not to be done.
    func note(_ request: OperationRequest, by requester: Requester) throws(VaultError) {
        guard audit.folder != nil, request.policy.exposure != .names else { return }
        var request = request
        // A contact who cannot be read is left out of the entry: the act itself says what is wrong.
        request = (try? request.naming(alias(of:))) ?? request
        let acts = request.policy.acts(by: requester, owner: requester.uid) { [] }
        var entries = acts.map { AuditEntry($0, by: requester, request.audit) }
        if let entry = request.entry(besides: acts, by: requester) { entries.append(entry) }
        guard !entries.isEmpty else { return }
        try write(entries)
    }

    /// Writes down that this program is about to change the key of the vault.
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
    /// The program that runs this, which opened the vault itself.
    ///
    /// - Parameter isOwn: it is hsip, for which a person gave the secret.
    /// - Returns: the requester with the ids of this process, at a terminal if `isOwn`.
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
