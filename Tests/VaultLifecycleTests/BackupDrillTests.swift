import FileStore
import Foundation
import Glibc
import RecordStore
import Synchronization
import System
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// A backup is tried in a home of its own, and what this machine remembers of backups loses nothing.
@Suite struct BackupDrillTests {
    /// Whether one that sweeps may stop.
    private final class Sweeping: Sendable {
        let isDone = Atomic(false)
    }

    private let home: Home
    private let store: FileStore
    private let now: Int64 = 1_800_000_000

    init() throws {
        home = try Home()
        store = try home.makeStore(Code.slot(1))
    }

    @Test func `the vault itself is no backup of it, by whatever name`() throws {
        let place = try home.locator().place
        let link = home.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.file)
        for path in [place.file, link] {
            #expect(throws: RestoreError.isVault) { _ = try BackupDrill(path, for: place) }
        }
    }

    @Test func `a home of a stopped trial is told of and goes, and one in use is neither`() throws {
        let folder = home.path + "/state"
        let used = try ScratchHome.make(in: folder)
        let left = folder + "/drill-abcdef"
        try FileManager.default.createDirectory(atPath: left + "/DATA", withIntermediateDirectories: true)
        try Data("sealed".utf8).write(to: URL(fileURLWithPath: left + "/DATA/vault"))
        #expect(ScratchHome.left(in: folder) == [left])
        ScratchHome.sweep(left)
        #expect(ScratchHome.left(in: folder).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        withExtendedLifetime(used) {}
    }

    @Test func `what a link in it leads to stays, also where the link cannot be removed`() throws {
        let (outside, inside) = (home.path + "/outside", home.path + "/inside")
        for path in [outside, inside] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let file = outside + "/file"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.createSymbolicLink(atPath: inside + "/link", withDestinationPath: outside)
        // A user who is not root cannot take names out of it.
        _ = unsafe chmod(inside, 0o500)
        ScratchHome.remove(inside)
        _ = unsafe chmod(inside, 0o700)
        #expect(FileManager.default.fileExists(atPath: file))
        ScratchHome.remove(inside)
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(!FileManager.default.fileExists(atPath: inside))
    }

    @Test func `no sweep takes away a home that was just made`() async throws {
        let folder = home.path + "/state"
        let sweeping = Sweeping()
        let lost = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                while !sweeping.isDone.load(ordering: .relaxed) {
                    for path in Path.names(in: folder) where path.hasPrefix("drill-") {
                        ScratchHome.sweep("\(folder)/\(path)")
                    }
                }
                return 0
            }
            group.addTask {
                defer { sweeping.isDone.store(true, ordering: .relaxed) }
                return (0..<300).count { _ in
                    guard let made = try? ScratchHome.make(in: folder) else { return true }
                    let isThere = Path.isFolder(made.environment["HOME"] ?? "")
                    withExtendedLifetime(made) {}
                    return !isThere
                }
            }
            return await group.reduce(0, +)
        }
        #expect(lost == 0)
    }

    @Test func `what several remember at once is all remembered`() async throws {
        let (place, id, path) = (try home.locator().place, store.vaultID, home.path)
        let report = try store.verify()
        for number in 0..<40 { try Data().write(to: URL(fileURLWithPath: "\(path)/copy-\(number)")) }
        await withTaskGroup(of: Void.self) { group in
            for first in 0..<4 {
                group.addTask {
                    for number in stride(from: first, to: 40, by: 4) {
                        BackupMemory.note("\(path)/copy-\(number)", report, of: place, id, now: 1_800_000_000)
                    }
                }
            }
            group.addTask { BackupMemory.change(of: place, id) { $0.drilledAt = 1_800_000_001 } }
        }
        let memory = BackupMemory(place, id)
        #expect(memory.entries.count == 40 && memory.drilledAt == 1_800_000_001)
    }
}
