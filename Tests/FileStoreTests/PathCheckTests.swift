import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

/// Files and folders that someone else could read or change are refused, by path and reason.
@Suite struct PathCheckTests {
    private let vault: ScratchVault

    init() throws {
        vault = try ScratchVault()
        _ = try vault.create()
    }

    private var path: String { vault.paths.vault }
    private var folder: String { vault.scratch.path + "/vault" }
    private var anchor: String {
        vault.paths.anchorFolder + "/anchor-a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
    }

    private func refusalToOpen() -> StoreError? {
        refusal { _ = try vault.open() }
    }

    @Test func `what this program makes is for no one else`() throws {
        for (path, mode) in [
            (path, 0o600), (folder, 0o700), (anchor, 0o600), (vault.paths.anchorFolder, 0o700),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
        let store = try vault.open()
        try store.put(RecordID("n", "a"), "x")
        for suffix in ["-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o601] as [mode_t])
    func `a file that others may use is refused`(mode: mode_t) throws {
        for file in [path, anchor] {
            unsafe chmod(file, mode)
            #expect(refusalToOpen() == .unsafeFile(path: file, .mode(mode)))
            unsafe chmod(file, 0o600)
        }
        #expect(refusalToOpen() == nil)
    }

    @Test func `a log that others may use is refused`() throws {
        for suffix in ["-wal", "-shm"] {
            try Data().write(to: URL(fileURLWithPath: path + suffix))
            unsafe chmod(path + suffix, 0o644)
            #expect(refusalToOpen() == .unsafeFile(path: path + suffix, .mode(0o644)))
            unsafe unlink(path + suffix)
        }
    }

    @Test(arguments: [0o755, 0o750, 0o701] as [mode_t])
    func `a folder that others may use is refused`(mode: mode_t) throws {
        unsafe chmod(folder, mode)
        #expect(refusalToOpen() == .unsafeFile(path: folder, .mode(mode)))
    }

    @Test func `a link in the place of the file, its log or its folder is refused`() throws {
        let away = vault.scratch.path + "/away"
        unsafe rename(path, away)
        unsafe symlink(away, path)
        #expect(refusalToOpen() == .unsafeFile(path: path, .wrongType))
        unsafe unlink(path)
        unsafe rename(away, path)
        unsafe symlink("/dev/null", path + "-wal")
        #expect(refusalToOpen() == .unsafeFile(path: path + "-wal", .wrongType))
        unsafe unlink(path + "-wal")
        unsafe rename(folder, away)
        unsafe symlink(away, folder)
        #expect(refusalToOpen() == .unsafeFile(path: folder, .wrongType))
    }

    @Test func `a file with a second name is refused`() throws {
        unsafe link(path, vault.scratch.path + "/second")
        #expect(refusalToOpen() == .unsafeFile(path: path, .hardLinks(2)))
    }

    @Test func `an ancestor that others may write to is refused, unless it is sticky`() throws {
        unsafe chmod(vault.scratch.path, 0o770)
        #expect(refusalToOpen() == .unsafeFile(path: vault.scratch.path, .writableAncestor(mode: 0o770)))
        unsafe chmod(vault.scratch.path, 0o1777)
        #expect(refusalToOpen() == nil)
        unsafe chmod(vault.scratch.path, 0o755)
        #expect(refusalToOpen() == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `what belongs to someone else is refused`() throws {
        for place in [path, folder, anchor, vault.scratch.path] {
            unsafe chown(place, 12_345, 0)
            #expect(refusalToOpen() == .unsafeFile(path: place, .owner(uid: 12_345)))
            unsafe chown(place, 0, 0)
        }
        #expect(refusalToOpen() == nil)
    }

    @Test func `a vault is never made over something else`() throws {
        #expect(refusal { _ = try vault.create() } == .alreadyExists)
        let other = try ScratchVault()
        try FileManager.default.createDirectory(
            atPath: other.paths.vault,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        unsafe chmod(other.scratch.path + "/vault", 0o700)
        #expect(refusal { _ = try other.create() } == .alreadyExists)
    }

    @Test func `making a vault leaves one file and nothing half-made`() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["vault.hsipvault"])
        let other = try ScratchVault()
        #expect(
            refusal {
                _ = try FileStore.create(at: other.paths, slots: [], entropy: other.entropy, now: { 1 })
            } == .lastSlot
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.scratch.path + "/vault").isEmpty)
    }

    @Test func `names that a URI would read otherwise are only names`() throws {
        for name in ["a b", "50%25", "q?mode=ro", "h#x", "ü", "a&b"] {
            let paths = VaultPaths(
                vault: "//" + vault.scratch.path.dropFirst() + "/\(name)/v.hsipvault",
                anchorFolder: vault.scratch.path + "/state/\(name)"
            )
            let store = try FileStore.create(
                at: paths,
                vaultID: ScratchVault.vaultID,
                vaultKey: .init(copying: ScratchVault.vaultKey),
                slots: [ScratchVault.slot()],
                entropy: vault.entropy,
                now: { 1 }
            )
            try store.put(RecordID("n", "a"), name)
            #expect(FileManager.default.fileExists(atPath: paths.vault + "-wal"))
        }
    }

    @Test func `the usual places follow XDG, and ignore what is empty or relative`() {
        let home = ["HOME": "/home/alice"]
        #expect(
            VaultPaths.standard(environment: home)
                == VaultPaths(
                    vault: "/home/alice/.local/share/hsip/vault.hsipvault",
                    anchorFolder: "/home/alice/.local/state/hsip"
                )
        )
        for bad in ["", "data", "./data"] {
            let environment = home.merging(["XDG_DATA_HOME": bad, "XDG_STATE_HOME": bad]) { $1 }
            #expect(VaultPaths.standard(environment: environment) == VaultPaths.standard(environment: home))
        }
        let full = home.merging(["XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s"]) { $1 }
        #expect(
            VaultPaths.standard(name: "work", environment: full)
                == VaultPaths(vault: "/d/hsip/work.hsipvault", anchorFolder: "/s/hsip")
        )
        #expect(VaultPaths.standard(environment: [:]) == nil)
        #expect(VaultPaths.standard(environment: ["HOME": "alice"]) == nil)
        for name in ["", ".hidden", "a/b"] {
            #expect(VaultPaths.standard(name: name, environment: home) == nil)
        }
    }
}
