import Glibc
import Testing

@testable import RecordStore

/// Which programs only the system could have put where they are.
@Suite struct SystemPlaceTests {
    private static let path = "/usr/libexec/portal"
    private static let folder = SystemPlace(owner: 0, mode: S_IFDIR | 0o755)
    private static let file = SystemPlace(owner: 0, mode: S_IFREG | 0o755)
    private static let system = [
        "/": folder, "/usr": folder, "/usr/libexec": folder, "/usr/libexec/portal": file,
    ]

    @Test func `a program of root in folders of root is the system's`() {
        #expect(SystemPlace.holds(Self.path) { Self.system[$0] })
        #expect(SystemPlace.holds("/portal") { ["/": Self.folder, "/portal": Self.file][$0] })
    }

    @Test(arguments: system.keys.sorted())
    func `none is where a user owns, writes or makes up any part of its path`(part: String) {
        let real = Self.system[part]?.mode ?? 0
        let others = [
            SystemPlace(owner: 1_000, mode: real), SystemPlace(owner: 0, mode: real | 0o002),
            SystemPlace(owner: 0, mode: real | 0o020), SystemPlace(owner: 0, mode: real, isMadeUp: true), nil,
        ]
        for other in others {
            #expect(!SystemPlace.holds(Self.path) { $0 == part ? other : Self.system[$0] })
        }
    }

    @Test
    func `a folder of everybody may be above it, where each removes only what is his, and not around it`() {
        let shared = SystemPlace(owner: 0, mode: S_IFDIR | S_ISVTX | 0o777)
        #expect(SystemPlace.holds(Self.path) { $0 == "/usr" ? shared : Self.system[$0] })
        #expect(!SystemPlace.holds(Self.path) { $0 == "/usr/libexec" ? shared : Self.system[$0] })
    }

    @Test func `a folder, a link and a path from nowhere are no program`() {
        for mode in [S_IFDIR, S_IFLNK, S_IFIFO] {
            let other = SystemPlace(owner: 0, mode: mode | 0o755)
            #expect(!SystemPlace.holds(Self.path) { $0 == Self.path ? other : Self.system[$0] })
        }
        #expect(!SystemPlace.holds("portal") { _ in Self.file })
        #expect(!SystemPlace.holds("") { _ in Self.file })
    }

    @Test func `a file of this machine is looked at as it is`() throws {
        let root = try #require(SystemPlace("/"))
        #expect(root.mode & S_IFMT == S_IFDIR && !root.isMadeUp)
        #expect(SystemPlace("/no/such/file") == nil)
    }
}
