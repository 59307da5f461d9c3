internal import Glibc

extension Vault {
    /// Writes down what an operation is about to do in this process, where no agent does that.
    ///
    /// What lets a secret out, believes a key or changes a rule is written; the rest is as it was before there was
    /// a log, and costs nothing.
    ///
    /// Whoever opens a vault in a process of their own has its key, and could read it with any other program: no read is
    /// refused for the log's sake. What keeps an entry from being written is said instead, whatever it is: a full
    /// disk, a medium for reading only, a damaged record of the log.
    ///
    /// - Throws: `audit`: what changes a rule or believes a key could not be written, and is not to be done.
    func note(_ operation: String, _ touch: Touch, subjects: [String]) throws(VaultError) {
        guard audit.folder != nil, let kind = AuditKind(operation, touch),
            [.read, .trust, .replace, .rule].contains(kind)
        else { return }
        // What lets several secrets out has a line for each, as a search for one of them finds it.
        let subjects = kind == .read && !subjects.isEmpty ? subjects : [CallSubjects.summary(of: subjects)]
        let entries = Set(subjects).sorted().map { subject in
            AuditEntry(
                kind,
                .allowed,
                time: now() * 1_000,
                reason: "inProcess",
                act: operation,
                subject: subject,
                program: Self.program,
                process: getpid(),
                user: geteuid()
            )
        }
        do throws(VaultError) {
            let log = try auditLog()
            do throws(AuditError) {
                for entry in entries { try log.append(entry, isDurable: kind != .read) }
            } catch {
                throw .audit(error)
            }
        } catch {
            guard kind == .read else { throw error }
            unlogged?(error)
        }
    }

    /// The file of the program that this process runs: `hsip`, or one that has the library in it.
    private static let program: String = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}
