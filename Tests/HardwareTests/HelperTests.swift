import CMemorySearch
import Foundation
import Glibc
import Hardware
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// `hsip-hardware` as it is asked by others, with a TPM in software behind it.
@Suite struct HelperTests {
    private static let register: UInt32 = 1 << 16
    private static let salt = [UInt8](repeating: 3, count: 16)
    /// Where the programs of this build are.
    private static let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .path

    private func pin(_ text: String = "4711") throws -> StretchedPIN {
        try StretchedPIN(Array(text.utf8), salt: Self.salt)
    }

    private func secret() throws -> Secret { Secret(try Entropy.system.secret(32)) }

    /// The client of a program that the test writes.
    private func client(of script: String, in scratch: StoreScratch) throws -> HardwareClient {
        let path = scratch.path + "/program"
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return HardwareClient(program: path, seconds: 2)
    }

    @Test(arguments: [(false, 0), (true, 0), (false, register), (true, register)] as [(Bool, UInt32)])
    func `what the helper sealed, it gives back`(hasPIN: Bool, registers: UInt32) throws {
        let emulator = try Emulator()
        defer { withExtendedLifetime(emulator) {} }
        let client = try emulator.helper(Self.programs)
        let (secret, pin) = (try secret(), hasPIN ? try pin() : nil)
        let params = try client.seal(secret, pin: pin, registers: registers)
        #expect(params.hasPIN == hasPIN && params.registers == registers)
        #expect(ConstantTime.equal(try client.open(params, pin: pin), secret))
    }

    @Test func `what the TPM refuses arrives as it is`() throws {
        let emulator = try Emulator()
        defer { withExtendedLifetime(emulator) {} }
        try emulator.allow(wrong: 3, interval: 1_000)
        let client = try emulator.helper(Self.programs)
        let params = try client.seal(try secret(), pin: pin(), registers: 0)
        let bound = try client.seal(try secret(), pin: nil, registers: Self.register)
        for left in [2, 1, 0] as [UInt32] {
            #expect(throws: HardwareError.tpm(.pinWrong(triesLeft: left))) {
                try client.open(params, pin: pin("1234"))
            }
        }
        #expect(throws: HardwareError.tpm(.lockout(seconds: 1_000))) { try client.open(params, pin: pin()) }
        #expect(try client.devices().triesLeft == 0)
        try emulator.extend(register: 16)
        #expect(throws: HardwareError.tpm(.stateDiffers)) { try client.open(bound, pin: nil) }
        try emulator.clear()
        #expect(throws: HardwareError.tpm(.otherTPM)) { try client.open(bound, pin: nil) }
        try emulator.own()
        #expect(throws: HardwareError.tpm(.owned)) { try client.seal(secret(), pin: nil, registers: 0) }
    }

    @Test func `a slot of another machine is known as such`() throws {
        let (first, second) = (try Emulator(), try Emulator())
        defer { withExtendedLifetime((first, second)) {} }
        let params = try first.helper(Self.programs).seal(try secret(), pin: nil, registers: 0)
        let other = try second.helper(Self.programs)
        #expect(throws: HardwareError.tpm(.otherTPM)) { try other.open(params, pin: nil) }
        #expect(throws: HardwareError.tpm(.otherTPM)) { try other.devices(params) }
        #expect(try first.helper(Self.programs).devices(params).triesLeft > 0)
    }

    @Test func `every request and answer about security keys arrives as it was`() throws {
        let bytes = { (count: Int) in Entropy.system.bytes(count) }
        let params = try #require(
            FIDO2Params(salt: bytes(32), model: bytes(16), credential: bytes(1_023), isVerified: true)
        )
        let slots = [FIDO2Params](repeating: params, count: HardwareRequest.slots)
        guard case .keys(slots)? = try HardwareRequest(try HardwareRequest.keys(slots).encoded()) else {
            return #expect(Bool(false), "the largest request is refused")
        }
        let key = KeyLook(
            path: "/dev/hidraw0",
            product: "Key \"ü\"",
            isFit: true,
            hasPIN: true,
            hasFinger: false,
            triesLeft: 8,
            matches: [.yes, .no, .perhaps]
        )
        let keys = [KeyLook](repeating: key, count: 16)
        guard case .keys(keys)? = try HardwareAnswer(try HardwareAnswer.keys(keys).encoded()) else {
            return #expect(Bool(false), "an answer about sixteen keys is refused")
        }
    }

    @Test(arguments: [
        KeyError.noLibrary, .noKey, .denied, .unfit, .otherKey, .pinWrong(triesLeft: nil),
        .pinWrong(triesLeft: 2), .pinLength, .pinNeeded, .noPIN, .pinPaused, .pinBlocked,
        .verificationChanged, .timeout, .refused, .cancelled, .busy, .gone, .outOfMemory, .failed(code: -9),
    ])
    func `why a security key refused arrives as it was`(error: KeyError) throws {
        guard case .keyFailed(let read)? = try HardwareAnswer(HardwareAnswer.keyFailed(error).encoded())
        else { return #expect(Bool(false), "\(error)") }
        #expect(read == error)
    }

    @Test(arguments: [
        TPMError.noLibrary, .noTPM, .denied, .owned, .pinWrong(triesLeft: nil), .pinWrong(triesLeft: 31),
        .lockout(seconds: 7_200), .authDiffers, .stateDiffers, .otherTPM, .busy, .outOfMemory,
        .failed(code: .max),
    ])
    func `why a TPM refused arrives as it was`(error: TPMError) throws {
        guard case .failed(let read)? = try HardwareAnswer(HardwareAnswer.failed(error).encoded())
        else { return #expect(Bool(false), "\(error)") }
        #expect(read == error)
    }

    @Test(arguments: [
        #"{"answer":"failed","error":"lockout"}"#, #"{"answer":"failed","error":"failed","number":-1}"#,
        #"{"answer":"failed","error":""}"#, #"{"answer":"failed"}"#,
        #"{"answer":"failed","error":"pinLength"}"#,
        #"{"answer":"keyFailed","error":"failed","number":4294967296}"#,
        #"{"answer":"keyFailed","error":"lockout","number":1}"#,
    ])
    func `an error that no device has is none`(line: String) throws {
        let bytes = try SecretBytes(copying: Array("\(line)\n".utf8))
        let isNone = if try HardwareAnswer(bytes) == nil { true } else { false }
        #expect(isNone)
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/tpmrm0"), "the machine has a TPM"))
    func `without a TPM the installed helper says that there is none`() {
        let client = HardwareClient(program: Self.programs + "/hsip-hardware")
        #expect(throws: HardwareError.tpm(.noTPM)) { try client.devices() }
    }

    @Test(arguments: [
        "exit 3", "echo hello", "echo '{}'", "true", "kill -9 $$", "exec sleep 1000", "yes",
        "sleep 10 & exit 0",
    ])
    func `a helper that gives no answer is an error`(script: String) throws {
        let client = try client(of: script, in: StoreScratch())
        #expect(throws: HardwareError.helperFailed) { try client.devices() }
    }

    @Test func `an answer to another question is none`() throws {
        let secret = String(repeating: "x", count: 32)
        let client = try client(of: "printf '{\"answer\":\"opened\"}\\n\(secret)'", in: StoreScratch())
        #expect(throws: HardwareError.helperFailed) { try client.devices() }
        #expect(throws: HardwareError.helperFailed) { try client.seal(self.secret(), pin: nil, registers: 0) }
    }

    @Test func `a program that is not there is an error`() throws {
        let client = HardwareClient(program: try StoreScratch().path + "/none")
        #expect(throws: HardwareError.helperFailed) { try client.devices() }
    }

    @Test(arguments: ["", "\n", "{}\n", "{\"request\":\"devices\"}", "{\"request\":\"devices\"}\nx"])
    func `what is no request has no answer`(text: String) throws {
        let emulator = try Emulator()
        let end = try Spawned.run(
            try emulator.helperPath(Self.programs),
            [],
            environment: [:],
            input: Array(text.utf8)
        )
        #expect(end.status == 2 && end.output.isEmpty && end.errors.isEmpty)
        #expect(try emulator.connect().lockout().wrong == 0)
    }

    @Test func `variables that make the library write secrets are of no effect`() throws {
        let emulator = try Emulator()
        let log = emulator.folder + "/log"
        let request = HardwareRequest.seal(try secret(), auth: try pin().auth, registers: 0)
        let end = try Spawned.run(
            try emulator.helperPath(Self.programs),
            [],
            environment: ["TSS2_LOG": "all+TRACE", "TSS2_LOGFILE": log, "FIDO_DEBUG": "1"],
            input: try request.encoded().withBytes { $0.copied() }
        )
        #expect(end.status == 0 && end.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: log))
        guard case .sealed? = try HardwareAnswer(end.output) else {
            Issue.record("no answer")
            return
        }
    }

    @Test func `the helper has given its rights up, and ends with its caller`() throws {
        let emulator = try Emulator()
        let (input, number) = (emulator.folder + "/input", emulator.folder + "/number")
        #expect(unsafe mkfifo(input, 0o600) == 0)
        // Its input stays open, so that only the end of its caller ends it.
        let held = unsafe open(input, O_RDWR | O_CLOEXEC)
        defer { close(held) }
        var caller: Spawned? = try Spawned(
            "/bin/sh",
            [
                "-c",
                "\(try emulator.helperPath(Self.programs)) <\(input) & "
                    + "echo $! >\(number).new; mv \(number).new \(number); wait",
            ],
            environment: ["PATH": "/usr/bin:/bin"]
        )
        try wait { FileManager.default.fileExists(atPath: number) }
        let process = try String(contentsOfFile: number, encoding: .utf8).split(separator: "\n")[0]
        func status() -> String {
            (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? "State:\tZ"
        }
        try wait { status().contains("Seccomp:\t2") }
        #expect(status().contains("NoNewPrivs:\t1"))
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        #expect(limits.contains(/Max core file size +0 +0/))
        #expect(caller != nil)
        caller = nil
        try wait { status().contains("State:\tZ") }
    }

    /// Waits until something is so; a run that waits for ever is ended by that of all tests.
    private func wait(_ isSo: () -> Bool) throws {
        for _ in 0..<30_000 {
            if isSo() { return }
            usleep(10_000)
        }
        Issue.record("it does not happen")
    }

    @Test func `nothing of a secret is left in the program that asked`() throws {
        let emulator = try Emulator()
        defer { withExtendedLifetime(emulator) {} }
        let client = try emulator.helper(Self.programs)
        let (params, number) = try {
            let secret = try secret()
            let number = secret.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe hsip_search_remember($0.baseAddress) }
            }
            let params = try client.seal(secret, pin: nil, registers: 0)
            let opened = try client.open(params, pin: nil)
            #expect(ConstantTime.equal(opened, secret))
            #expect(hsip_search_count(number) > 0)
            return (params, number)
        }()
        #expect(!params.hasPIN)
        #expect(hsip_search_count(number) == 0)
    }
}

extension Emulator {
    /// The helper with this TPM, in the programs of a build.
    func helperPath(_ programs: String) throws -> String {
        let path = folder + "/hsip-hardware"
        if !FileManager.default.fileExists(atPath: path) {
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: programs + "/emulated-hardware"
            )
        }
        return path
    }

    /// The same, to be asked.
    func helper(_ programs: String) throws -> HardwareClient {
        HardwareClient(program: try helperPath(programs))
    }
}
