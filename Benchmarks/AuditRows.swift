internal import FileStore
internal import Glibc
internal import RecordStore
internal import VaultKit

/// The audit log: an entry is written before every use of a key, so it must cost next to nothing.
enum AuditRows {
    private static let rounds = 25
    private static let entriesARound = 400
    /// Seconds that an entry may take over writing as many bytes.
    private static let maximum = 15e-6

    /// One entry after the other, beside the bare write of as many bytes to a file of their own.
    static func append(in folder: String) async throws -> Row {
        try Scratch.makeFolder(folder)
        let sample = try SampleVault(count: 1, in: folder)
        let vault = Vault(store: sample.store, auditFolder: folder + "/log")
        let log = try await vault.auditLog()
        let entry = AuditEntry(
            .sign,
            .allowed,
            time: 1_800_000_000_000,
            reason: "login.known",
            act: "login",
            subject: "work",
            target: "somebody@example.com",
            program: "/usr/bin/ssh < /usr/bin/git < /usr/bin/bash",
            process: 4_242,
            user: 1_000
        )
        try log.append(entry)
        let first = try size(folder + "/log")
        try log.append(entry)
        let bytes = [UInt8](repeating: 7, count: try size(folder + "/log") - first)
        let file = unsafe open(folder + "/bare", O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw BenchmarkError.system(errno) }
        defer { close(file) }
        var end = 0
        let seconds = try Rounds.run(
            rounds,
            [
                { for _ in 0..<entriesARound { try log.append(entry) } },
                {
                    for _ in 0..<entriesARound {
                        guard unsafe pwrite(file, bytes, bytes.count, end) == bytes.count else {
                            throw BenchmarkError.system(errno)
                        }
                        end += bytes.count
                    }
                },
            ]
        )
        let (ours, bare) = (
            Rounds.median(seconds[0]) / Double(entriesARound),
            Rounds.median(seconds[1]) / Double(entriesARound)
        )
        return Row(
            what: "append of an audit entry of \(bytes.count) bytes",
            ours: Format.time(ours),
            peer: "\(Format.time(bare)) bare write",
            ratio: nil,
            target: .bound("≤ 15 µs more", isMet: ours - bare <= maximum)
        )
    }

    /// Bytes of the files in a folder.
    private static func size(_ folder: String) throws -> Int {
        guard let stream = unsafe opendir(folder) else { throw BenchmarkError.system(errno) }
        defer { unsafe closedir(stream) }
        var size = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            var facts = stat()
            guard unsafe stat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            size += Int(facts.st_size)
        }
        return size
    }
}
