import CEmulatorLink
import Glibc
import Hardware
import RecordStore
import Support
import Synchronization

/// A TPM in software (swtpm) with a state folder of its own, and what crosses the bus to it.
final class Emulator: Sendable {
    private let scratch: StoreScratch
    private let process: Mutex<Spawned?>
    private let tap: Tap
    let path: String
    /// Where its socket is.
    var folder: String { scratch.path }

    /// The library writes about errors that a test wants, and reads its environment once.
    private static let isQuiet: Bool = unsafe setenv("TSS2_LOG", "all+NONE", 1) == 0

    init() throws {
        _ = Self.isQuiet
        scratch = try StoreScratch()
        path = scratch.path + "/socket"
        tap = Tap()
        process = Mutex(try Self.start(scratch.path, path))
    }

    private static func start(_ folder: String, _ path: String) throws -> Spawned {
        unsafe unlink(path)
        let process = try Spawned(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(path)",
                "--flags", "not-need-init,startup-clear",
            ],
            environment: ["PATH": "/usr/bin:/bin"],
            keepsErrors: false
        )
        var tries = 0
        while unsafe hsip_link_answers(path) == 0, tries < 6_000 {
            tries += 1
            usleep(10_000)
        }
        return process
    }

    /// Ends it without a shutdown, as a power cut does, and starts it again.
    func cutPower() throws {
        try process.withLock {
            // It ends with its last holder.
            $0 = nil
            $0 = try Self.start(scratch.path, path)
        }
    }

    /// A connection.
    func connect() throws -> TPM {
        let (path, tap) = (path, tap)
        let transport = unsafe TPMTransport { () throws(TPMError) in
            { context, size in unsafe hsip_link_start(context, size, path, tap.memory) }
        }
        return try TPM(transport)
    }

    /// How many commands crossed the bus.
    var commands: Int { unsafe Int(tap.memory.pointee.commands) }

    /// Loses the connection in the place of the next but `count` command.
    func lose(after count: Int?) {
        unsafe tap.memory.pointee.lost_at =
            count.map { unsafe tap.memory.pointee.commands + Int32($0) + 1 } ?? 0
    }

    /// Answers the next commands by a code.
    func answer(_ code: UInt32, count: Int) {
        unsafe tap.memory.pointee.answer = code
        unsafe tap.memory.pointee.answers = Int32(count)
        unsafe tap.memory.pointee.answered_at = tap.memory.pointee.commands + 1
    }

    /// Whether bytes crossed the bus.
    func saw(_ bytes: [UInt8]) -> Bool {
        unsafe hsip_tap_saw(tap.memory, bytes, bytes.count) != 0
    }

    /// Sends a command with an empty password for its first handle; what follows the answer's header.
    @discardableResult
    func send(_ code: UInt32, handles: [UInt32], _ parameters: [UInt8]) throws -> [UInt8] {
        var content = code.wire + handles.flatMap(\.wire) + (9 as UInt32).wire + (0x4000_0009 as UInt32).wire
        content += [0, 0, 1, 0, 0] + parameters
        return try sendBare([0x80, 0x02] + UInt32(content.count + 6).wire + content)
    }

    /// Sends a command as it is.
    @discardableResult
    func sendBare(_ command: [UInt8]) throws -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe hsip_link_send(path, command, command.count, &answer, answer.count)
        guard count >= 10, answer[6..<10].allSatisfy({ $0 == 0 }) else {
            throw Refusal(code: answer[6..<10].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return Array(answer[10..<count])
    }

    struct Refusal: Error { let code: UInt32 }

    @safe private final class Tap: @unchecked Sendable {
        let memory: UnsafeMutablePointer<hsip_tap>
        init() {
            unsafe memory = .allocate(capacity: 1)
            let room = 1 << 20
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
            unsafe memory.initialize(
                to: hsip_tap(
                    bytes: bytes,
                    count: 0,
                    room: room,
                    commands: 0,
                    lost_at: 0,
                    answered_at: 0,
                    answer: 0,
                    answers: 0
                )
            )
        }
        deinit {
            unsafe memory.pointee.bytes.deallocate()
            unsafe memory.deallocate()
        }
    }
}

extension UInt32 {
    var wire: [UInt8] { stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) } }
}

/// What the tests do to the emulated TPM beside the program.
extension Emulator {
    static let owner: UInt32 = 0x4000_0001
    static let lockout: UInt32 = 0x4000_000A

    /// TPM2_DictionaryAttackParameters: so many wrong PINs, each forgotten after so many seconds.
    func allow(wrong: UInt32, interval: UInt32) throws {
        try send(0x13A, handles: [Self.lockout], wrong.wire + interval.wire + (0 as UInt32).wire)
    }

    /// TPM2_DictionaryAttackLockReset.
    func endLockout() throws { try send(0x139, handles: [Self.lockout], []) }

    /// TPM2_Clear: all keys of the owner are gone.
    func clear() throws { try send(0x126, handles: [Self.lockout], []) }

    /// TPM2_PCR_Extend of a register.
    func extend(register: UInt32) throws {
        try send(0x182, handles: [register], [0, 0, 0, 1, 0x00, 0x0B] + [UInt8](repeating: 7, count: 32))
    }

    /// TPM2_HierarchyChangeAuth: gives the owner a password.
    func own() throws { try send(0x129, handles: [Self.owner], [0, 4] + Array("mine".utf8)) }

    /// Makes a storage key with this auth that stays at 81000001.
    func keepStorageKey(auth: [UInt8]) throws {
        let sensitive = [0, UInt8(auth.count)] + auth + [0, 0]
        let area: [UInt8] =
            [
                0, 0x23, 0, 0x0B, 0, 3, 4, 0x72, 0, 0, 0, 6, 0, 128, 0, 0x43, 0, 0x10, 0, 3, 0, 0x10, 0, 0, 0,
                0,
            ]
        let made = try send(
            0x131,
            handles: [Self.owner],
            [0, UInt8(sensitive.count)] + sensitive + [0, UInt8(area.count)] + area + [0, 0, 0, 0, 0, 0]
        )
        let handle = made.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        try send(0x120, handles: [Self.owner, handle], [0x81, 0, 0, 1])
        try sendBare([0x80, 0x01, 0, 0, 0, 14, 0, 0, 1, 0x65] + handle.wire)
    }

    /// TPM2_NV_DefineSpace.
    func define(_ handle: UInt32, attributes: UInt32, auth: [UInt8], size: UInt8 = 8) throws {
        let area = handle.wire + [0, 0x0B] + attributes.wire + [0, 0, 0, size]
        try send(
            0x12A,
            handles: [Self.owner],
            [0, UInt8(auth.count)] + auth + [0, UInt8(area.count)] + area
        )
    }
}
