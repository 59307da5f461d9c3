import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// A vault in memory with an audit log in a folder of its own.
struct LoggedVault {
    let scratch: StoreScratch
    let store: MemoryStore
    let vault: Vault

    init() throws {
        scratch = try StoreScratch()
        store = MemoryStore(entropy: .system, now: { 1_800_000_000_000 })
        vault = Vault(store: store, clock: { 1_800_000_000 }, auditFolder: scratch.path + "/audit")
    }

    /// Another program on the same vault.
    func second() -> Vault {
        Vault(store: store, clock: { 1_800_000_000 }, auditFolder: scratch.path + "/audit")
    }

    var folder: String { scratch.path + "/audit" }
    var current: String { "\(folder)/\(Hex.encode(store.vaultID)).log" }

    static func entry(_ number: Int, _ verdict: AuditVerdict = .allowed) -> AuditEntry {
        AuditEntry(
            .sign,
            verdict,
            time: UInt64(number) * 1_000,
            reason: "directLogin",
            act: "login",
            subject: "key-\(number)",
            target: "deploy@db1.example.org",
            program: "/usr/bin/ssh ← git",
            process: 7,
            user: 1_000
        )
    }

    /// Writes entries that are numbered from 1.
    @discardableResult
    func write(_ count: Int) async throws -> AuditLog {
        let log = try await vault.auditLog()
        for number in 1...count { try log.append(Self.entry(number)) }
        return log
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: current)) }

    /// Puts other bytes into the file, as someone would who has the file and not the vault.
    func overwrite(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: current))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// Where each entry's bytes are.
    func frames() throws -> [Range<Int>] {
        let bytes = try [UInt8](bytes())
        var frames: [Range<Int>] = []
        var offset = 68
        while offset + 4 <= bytes.count {
            let count = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            frames.append(offset..<(offset + 72 + count))
            offset += 72 + count
        }
        return frames
    }
}
