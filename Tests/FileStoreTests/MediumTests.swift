import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

/// A file system of its own in memory, for one test: small enough to fill, and made read-only at will.
private final class SmallMedium {
    let path: String
    private let scratch: StoreScratch

    init?(_ size: String) throws {
        scratch = try StoreScratch()
        path = scratch.path + "/medium"
        unsafe mkdir(path, 0o700)
        guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=0700") == 0 else { return nil }
    }

    func makeReadOnly() -> Bool {
        unsafe mount("tmpfs", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    deinit {
        unsafe umount2(path, Int32(MNT_DETACH))
    }
}

/// Disks that are full and disks that cannot be written.
@Suite(.serialized) struct MediumTests {
    /// A vault on a medium of its own, with the anchor elsewhere; nil where mounting is not allowed.
    private func make(_ size: String) throws -> (SmallMedium, ScratchVault, VaultPaths)? {
        guard geteuid() == 0, let medium = try SmallMedium(size) else {
            print("skipped: a file system of its own needs root and the right to mount")
            return nil
        }
        let vault = try ScratchVault()
        let paths = VaultPaths(
            vault: medium.path + "/vault/vault.hsipvault",
            anchorFolder: vault.paths.anchorFolder
        )
        return (medium, vault, paths)
    }

    private func create(_ vault: ScratchVault, _ paths: VaultPaths) throws -> FileStore {
        try FileStore.create(
            at: paths,
            vaultID: ScratchVault.vaultID,
            vaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            slots: [ScratchVault.slot()],
            entropy: vault.entropy,
            now: { 1 }
        )
    }

    private func open(_ vault: ScratchVault, _ paths: VaultPaths) throws -> FileStore {
        try FileStore.open(
            at: paths,
            withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            entropy: vault.entropy,
            now: { 1 }
        )
    }

    @Test func `a full disk is told, and what was acknowledged is there`() throws {
        guard let (medium, vault, paths) = try make("300k") else { return }
        let store = try create(vault, paths)
        var written = 0
        var error: StoreError?
        while error == nil, written < 500 {
            error = refusal { try store.put(RecordID("n", "\(written)"), String(repeating: "x", count: 500)) }
            if error == nil { written += 1 }
        }
        #expect(error == .diskFull)
        #expect(written > 5)
        #expect(try store.verify().records == written)
        #expect(try store.text(RecordID("n", "\(written - 1)")) != nil)
        #expect(try store.text(RecordID("n", "\(written)")) == nil)
        #expect(try open(vault, paths).verify().records == written)
        _ = medium
    }

    @Test func `no vault is made where there is no room for it`() throws {
        guard let (medium, vault, paths) = try make("16k") else { return }
        #expect(refusal { _ = try create(vault, paths) } == .diskFull)
        #expect(try FileManager.default.contentsOfDirectory(atPath: medium.path + "/vault").isEmpty)
    }

    @Test func `a medium that cannot be written serves for reading`() throws {
        guard let (medium, vault, paths) = try make("2m") else { return }
        let id = try RecordID("n", "a")
        do {
            let store = try create(vault, paths)
            try store.put(id, "text")
            store.lock()
        }
        #expect(medium.makeReadOnly())
        let store = try open(vault, paths)
        #expect(store.isReadOnly)
        #expect(try store.text(id) == "text")
        #expect(try store.verify().records == 1)
        #expect(refusal { try store.put(id, "x") } == .readOnly)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: medium.path + "/vault") == ["vault.hsipvault"]
        )
    }

    @Test func `a log on a medium that cannot be written is not passed over`() throws {
        guard let (medium, vault, paths) = try make("2m") else { return }
        let log: Data
        do {
            let store = try create(vault, paths)
            try store.put(RecordID("n", "a"), "text")
            log = try Data(contentsOf: URL(fileURLWithPath: paths.vault + "-wal"))
            store.lock()
        }
        try log.write(to: URL(fileURLWithPath: paths.vault + "-wal"))
        unsafe chmod(paths.vault + "-wal", 0o600)
        #expect(medium.makeReadOnly())
        #expect(refusal { _ = try open(vault, paths) } == .readOnlyWithLog)
    }
}
