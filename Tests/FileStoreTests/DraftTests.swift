import Files
import Foundation
import Glibc
import Support
import Synchronization
import Testing
import VaultCrypto

@testable import FileStore

/// Files on their way to a name, and who clears away those of stopped programs.
@Suite struct DraftTests {
    private let scratch: StoreScratch
    private var place: String { scratch.path + "/vault" }

    init() throws {
        scratch = try StoreScratch()
    }

    @Test func `no sweep takes away a file that was just made`() async throws {
        let (place, flag) = (place, Flag())
        let lost = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                while !flag.isDone { CopyFile.sweep(beside: place) }
                return 0
            }
            group.addTask {
                defer { flag.end() }
                return (0..<2_000).count { _ in
                    guard let copy = try? CopyFile.begin(beside: place, .system) else { return true }
                    return unsafe access(copy.draft, F_OK) != 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(lost == 0)
    }
}

/// Tells one thread that another is done.
private final class Flag: Sendable {
    private let done = Mutex(false)

    var isDone: Bool { done.withLock { $0 } }

    func end() { done.withLock { $0 = true } }
}
