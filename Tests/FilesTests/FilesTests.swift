import Files
import Foundation
import Glibc
import Testing

typealias File = SecureFile<SystemFailure>

/// A folder for one test, removed with it.
final class Place {
    let path: String

    init() throws { path = try #require(Folder.make("\(NSTemporaryDirectory())/files-")) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ text: String, _ name: String = "file") throws -> String {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        return path(name)
    }

    func text(_ name: String = "file") throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    var names: [String] { (Folder.names(in: path) ?? []).sorted() }
}

struct SecureFileTests {
    private let place: Place

    init() throws { place = try Place() }

    /// Every way to open a file but the one for what a person chose.
    ///
    /// Nothing else opens the pipe, so a test that waits for it never ends.
    @Test(arguments: [
        O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_APPEND, O_RDONLY | O_DIRECTORY,
    ])
    func `a pipe is refused and never waited for`(flags: Int32) throws {
        let pipe = place.path("pipe")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        try #require(unsafe symlink(pipe, place.path("link")) == 0)
        for followsLinks in [false, true] {
            for path in [pipe, place.path("link")] {
                #expect(throws: SystemFailure.self) { _ = try File(path, flags, followsLinks: followsLinks) }
            }
        }
        #expect(FileFacts(at: pipe)?.type == S_IFIFO, "it is left as it was")
    }

    @Test(arguments: ["/dev/null", "/dev/zero", "/"]) func `what is no ordinary file is refused`(path: String)
    {
        #expect(throws: SystemFailure.wrongKind(path)) { _ = try File(path, O_RDONLY) }
    }

    @Test func `a link is followed only where that is asked for`() throws {
        try place.write("text")
        try #require(unsafe symlink(place.path("file"), place.path("link")) == 0)
        let link = place.path("link")
        #expect(throws: SystemFailure.wrongKind(link)) { _ = try File(link, O_RDONLY) }
        #expect(try File(link, O_RDONLY, followsLinks: true).read(upTo: 4) == Array("text".utf8))
        try #require(unsafe symlink("loop", place.path("loop")) == 0)
        #expect(throws: SystemFailure(errno: ELOOP)) {
            _ = try File(place.path("loop"), O_RDONLY, followsLinks: true)
        }
    }

    @Test func `a new file is for its owner alone, and is closed in a child`() throws {
        let file = try File(place.path("new"), O_RDWR | O_CREAT | O_EXCL)
        let facts = try file.facts()
        #expect(facts.mode == 0o600 && facts.isOwn && facts.isFile && !facts.isShared && facts.links == 1)
        #expect(file.withNumber { fcntl($0, F_GETFD) } & FD_CLOEXEC != 0)
        #expect(throws: SystemFailure(errno: EEXIST)) {
            _ = try File(place.path("new"), O_RDWR | O_CREAT | O_EXCL)
        }
        #expect(throws: SystemFailure(errno: ENOENT)) { _ = try File(place.path("none"), O_RDONLY) }
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 100_000])
    func `a file is read whole or not at all`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let file = try File(place.path("file"), O_RDWR | O_CREAT)
        try file.append(bytes)
        #expect(try file.contents(limit: size) == bytes)
        #expect(try file.contents(limit: size + 1) == bytes)
        if size > 0 { #expect(try file.contents(limit: size - 1) == nil) }
        #expect(try file.read(upTo: size + 10) == bytes)
    }

    @Test func `a file of the kernel, which has no size, is read to its end and its limit`() throws {
        let file = try File("/proc/self/status", O_RDONLY)
        let all = try #require(try file.contents(limit: 1 << 20))
        #expect(all.count > 500)
        #expect(try File("/proc/self/status", O_RDONLY).contents(limit: 100) == nil)
    }

    @Test func `bytes are written where they belong, and the rest can be cut`() throws {
        let file = try File(place.path("file"), O_RDWR | O_CREAT)
        try file.append(Array("one two".utf8))
        try file.write(Array("six".utf8), at: 4)
        #expect(try place.text() == "one six")
        try file.cut(to: 3)
        try file.sync()
        try file.syncData()
        #expect(try place.text() == "one")
        #expect(try file.read(upTo: 10, at: 1) == Array("ne".utf8))
    }

    @Test func `a full disk is said`() throws {
        let full = try File(named: "/dev/full", O_WRONLY)
        #expect(throws: SystemFailure(errno: ENOSPC)) { try full.append([1]) }
    }

    @Test func `a file knows whether its name still leads to it`() throws {
        let file = try File(try place.write("one"), O_RDONLY)
        #expect(file.isInPlace(place.path("file")))
        try #require(unsafe rename(place.path("file"), place.path("away")) == 0)
        #expect(!file.isInPlace(place.path("file")))
        try place.write("two")
        #expect(!file.isInPlace(place.path("file")) && file.isInPlace(place.path("away")))
    }
}

struct LockedFileTests {
    private let place: Place

    init() throws { place = try Place() }

    private func open() throws -> File { try File(place.path("file"), O_RDWR | O_CREAT) }

    @Test func `one holder alone, or several together`() throws {
        let (first, second, third) = (try open(), try open(), try open())
        try first.lock(.shared)
        #expect(second.takeLock(.shared))
        #expect(!third.takeLock(.alone) && errno == EWOULDBLOCK)
        first.unlock()
        second.unlock()
        #expect(third.takeLock(.alone) && !first.takeLock(.shared))
    }

    @Test func `a lock goes with its last holder`() throws {
        var first: File? = try open()
        try first?.lock(.alone)
        let second = try open()
        #expect(!second.takeLock(.shared))
        first = nil
        #expect(second.takeLock(.alone))
    }

    @Test func `a new file that a sweep removed before it was locked is made again`() throws {
        var made = 0
        let (path, file) = try File.locked(.shared) { () throws(SystemFailure) in
            made += 1
            let path = place.path("draft-\(made)")
            let file = try File(path, O_RDWR | O_CREAT | O_EXCL)
            if made < 3 { unsafe unlink(path) }
            return (path, file)
        }
        #expect(made == 3 && path == place.path("draft-3") && file.isInPlace(path))
        #expect(try !File(path, O_RDONLY).takeLock(.alone))
    }

    @Test func `it is given up where sweeps remove one after the other`() throws {
        #expect(throws: SystemFailure(errno: EWOULDBLOCK)) {
            _ = try File.locked(.alone) { () throws(SystemFailure) in nil }
        }
    }
}

struct AtomicFileTests {
    private let place: Place

    init() throws { place = try Place() }

    private func begun(_ text: String) throws -> AtomicFile<SystemFailure> {
        let draft = try AtomicFile<SystemFailure>(beside: place.path("file"))
        try draft.file.append(Array(text.utf8))
        return draft
    }

    @Test func `what was given up leaves nothing behind`() throws {
        do {
            let draft = try begun("half")
            #expect(place.names.count == 1 && !place.names.contains("file"))
            #expect(try draft.file.facts().mode == 0o600)
        }
        #expect(place.names == [])
        do {
            let name = place.path("draft")
            let draft = AtomicFile(name, try File(name, O_RDWR | O_CREAT), companions: ["-log"])
            try place.write("x", "draft-log")
            _ = draft.draft
        }
        #expect(place.names == [])
    }

    @Test func `a name that is taken is kept, unless it is to be replaced`() throws {
        try begun("one").place(at: place.path("file"), replaces: false)
        #expect(throws: SystemFailure(errno: EEXIST)) {
            try begun("two").place(at: place.path("file"), replaces: false)
        }
        #expect(try place.text() == "one" && place.names == ["file"])
        try begun("three").place(at: place.path("file"), replaces: true)
        #expect(try place.text() == "three" && place.names == ["file"])
    }

    @Test func `a link that leads nowhere is a name that is taken, and is replaced itself`() throws {
        try #require(unsafe symlink(place.path("elsewhere"), place.path("file")) == 0)
        #expect(throws: SystemFailure(errno: EEXIST)) {
            try begun("one").place(at: place.path("file"), replaces: false)
        }
        try begun("two").place(at: place.path("file"), replaces: true)
        #expect(place.names == ["file"] && FileFacts(at: place.path("file"))?.isFile == true)
    }

    @Test func `without its folder there is no file`() {
        #expect(throws: SystemFailure(errno: ENOENT)) {
            _ = try AtomicFile<SystemFailure>(beside: "/nonexistent/file")
        }
    }
}

struct FolderTests {
    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b/", "a/b")])
    func `a parent is what comes before the last slash`(path: String, parent: String) {
        #expect(Folder.parent(of: path) == parent)
    }

    @Test func `names are listed without the folder itself, and syncing is tried`() throws {
        let place = try Place()
        try place.write("x", "a")
        try place.write("x", ".b")
        #expect(place.names == [".b", "a"])
        #expect(Folder.names(in: place.path("none")) == nil)
        #expect(FileFacts(at: place.path)?.mode == 0o700)
        try Folder.sync(place.path, or: SystemFailure.self)
        // This file system cannot, as some of FUSE cannot.
        try Folder.sync("/proc", or: SystemFailure.self)
        #expect(throws: SystemFailure(errno: ENOENT)) {
            try Folder.sync(place.path("none"), or: SystemFailure.self)
        }
    }
}
