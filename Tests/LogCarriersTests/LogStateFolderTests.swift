import Glibc
import RecordStore
import Testing

struct LogStateFolderTests {
    private let scratch: Scratch
    private let stateFolder: LogStateFolder

    init() throws {
        scratch = try Scratch()
        stateFolder = LogStateFolder(stateFolder: scratch.path, logID: logID)
        try stateFolder.make()
    }

    private func path(_ name: String) -> String { "\(stateFolder.path)/\(name)" }

    @Test func `a folder that others may use is refused`() throws {
        #expect(unsafe chmod(stateFolder.path, 0o770) == 0)
        #expect(throws: StoreError.self) { try stateFolder.make() }
    }

    @Test func `one sync has it at a time`() throws {
        let held = try stateFolder.hold()
        let file = unsafe open(path("lock"), O_RDWR)
        defer { close(file) }
        #expect(flock(file, LOCK_EX | LOCK_NB) == -1)
        withExtendedLifetime(held) {}
    }
}

struct LogAnchorTests {
    private let scratch: Scratch
    private let anchor: LogAnchor
    private let head = LogAnchor.Head(epoch: 7, place: 41, hash: [UInt8](repeating: 0xAB, count: 32))

    init() throws {
        scratch = try Scratch()
        anchor = LogAnchor(folder: scratch.path, logID: logID)
    }

    @Test func `the file has 160 bytes of text`() throws {
        try anchor.raise(to: head)
        let text = try tool(["cat", anchor.path])
        let fields = "HSIP-LOG-1 000102030405060708090a0b0c0d0e0f 0000000007 00000000000000000041 "
        let written = fields + String(repeating: "ab", count: 32)
        #expect(text == written + String(repeating: " ", count: 159 - written.count) + "\n")
        #expect(text.utf8.count == 160)
    }

    @Test func `it only goes up`() throws {
        #expect(try anchor.read() == nil)
        try anchor.raise(to: head)
        try anchor.raise(to: LogAnchor.Head(epoch: 1, place: 40, hash: [UInt8](repeating: 1, count: 32)))
        #expect(try anchor.read() == head)
        let next = LogAnchor.Head(epoch: 8, place: 42, hash: [UInt8](repeating: 2, count: 32))
        try anchor.raise(to: next)
        #expect(try anchor.read() == next)
        try anchor.remove()
        #expect(try anchor.read() == nil)
    }

    @Test func `another entry at the same place is a fork`() throws {
        try anchor.raise(to: head)
        #expect(throws: StoreError.fork) {
            try anchor.raise(to: LogAnchor.Head(epoch: 7, place: 41, hash: [UInt8](repeating: 1, count: 32)))
        }
    }

    @Test func `what is malformed counts as missing, and is replaced`() throws {
        for text in ["", "HSIP-LOG-1", String(repeating: "x", count: 160)] {
            _ = try scratch.write("log-000102030405060708090a0b0c0d0e0f", text)
            #expect(try anchor.read() == nil)
            try anchor.raise(to: head)
            #expect(try anchor.read() == head)
        }
    }

    @Test func `a file that others could have written is refused`() throws {
        try anchor.raise(to: head)
        #expect(unsafe chmod(anchor.path, 0o622) == 0)
        #expect(throws: StoreError.self) { try anchor.read() }
        #expect(throws: StoreError.self) { try anchor.raise(to: head) }
    }
}
