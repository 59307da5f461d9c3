import Hardware
import RecordStore
import Testing
import VaultCrypto

@Suite struct SealedObjectTests {
    private static let pin: [UInt8] = Array(repeating: 0xA5, count: 31) + [0x5B]
    private static let secret: [UInt8] = (0..<32).map { UInt8($0) ^ 0xC3 }

    private func seal(_ emulator: Emulator, pin: Bool = false, registers: UInt32 = 0) throws -> TPM2Params {
        let secret = try SecretBytes(copying: Self.secret)
        return try TPM2Params.seal(
            secret,
            auth: pin ? Self.pin : [],
            registers: registers,
            emulator.connect()
        )
    }

    private func open(_ object: TPM2Params, _ emulator: Emulator, pin: [UInt8]? = nil) throws -> [UInt8] {
        let opened = try object.open(auth: pin ?? [], emulator.connect())
        return opened.withBytes { $0.copied() }
    }

    @Test(arguments: [(false, 0), (true, 0), (false, 1 << 16), (true, 1 << 7)] as [(Bool, UInt32)])
    func `what was sealed comes back, and neither it nor the PIN crosses the bus in clear`(
        pin: Bool,
        registers: UInt32
    ) throws {
        let emulator = try Emulator()
        let object = try seal(emulator, pin: pin, registers: registers)
        #expect(try open(object, emulator, pin: pin ? Self.pin : nil) == Self.secret)
        #expect(object.parent == .made && object.registers == registers && object.parentName.count == 34)
        #expect(object.publicArea.count <= 80 && object.privateArea.count <= 160)
        #expect(emulator.saw(object.publicArea))
        #expect(!emulator.saw(Self.secret))
        #expect(!emulator.saw(Self.pin))
    }

    @Test func `a wrong PIN counts, and too many lock out what has a PIN alone`() throws {
        let emulator = try Emulator()
        try emulator.allow(wrong: 3, interval: 1_000)
        let guarded = try seal(emulator, pin: true)
        let free = try seal(emulator)
        let wrong = [UInt8](repeating: 1, count: 32)
        for left in [2, 1, 0] as [UInt32] {
            #expect(throws: TPMError.pinWrong(triesLeft: left)) { try open(guarded, emulator, pin: wrong) }
        }
        #expect(throws: TPMError.lockout(seconds: 1_000)) { try open(guarded, emulator, pin: Self.pin) }
        #expect(try open(free, emulator) == Self.secret)
        #expect(try emulator.connect().lockout().triesLeft == 0)
        try emulator.endLockout()
        #expect(try open(guarded, emulator, pin: Self.pin) == Self.secret)
    }

    @Test func `an object without a PIN does not take one, and no try is counted`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator)
        #expect(throws: TPMError.authDiffers) { try open(object, emulator, pin: Self.pin) }
        #expect(try emulator.connect().lockout().wrong == 0)
    }

    @Test(arguments: [0, 1 << 16] as [UInt32])
    func `an object with a PIN is not tried without one, and no try is counted`(registers: UInt32) throws {
        let emulator = try Emulator()
        let object = try seal(emulator, pin: true, registers: registers)
        #expect(throws: TPMError.authDiffers) { try open(object, emulator) }
        #expect(try emulator.connect().lockout().wrong == 0)
        #expect(try open(object, emulator, pin: Self.pin) == Self.secret)
    }

    @Test func `another TPM is noticed before anything is authorised`() throws {
        let (first, second) = (try Emulator(), try Emulator())
        let object = try seal(first, pin: true)
        #expect(throws: TPMError.otherTPM) { try open(object, second, pin: Self.pin) }
        // The storage key is made, compared and flushed.
        #expect(second.commands == 2)
    }

    @Test func `a TPM that was cleared is another one`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator)
        try emulator.clear()
        #expect(throws: TPMError.otherTPM) { try open(object, emulator) }
    }

    @Test func `a stop of the machine changes nothing`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator, pin: true)
        try emulator.cutPower()
        #expect(try open(object, emulator, pin: Self.pin) == Self.secret)
    }

    @Test func `a changed register is noticed, and no try is counted`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator, pin: true, registers: 1 << 16)
        try emulator.extend(register: 16)
        #expect(throws: TPMError.stateDiffers) { try open(object, emulator, pin: Self.pin) }
        #expect(try emulator.connect().lockout().wrong == 0)
    }

    @Test func `no changed byte of a slot opens it`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator, pin: true)
        for part in 0..<3 {
            let whole = [object.parentName, object.publicArea, object.privateArea][part]
            for index in stride(from: 0, to: whole.count, by: part == 2 ? 9 : 3) {
                var parts = [object.parentName, object.publicArea, object.privateArea]
                parts[part][index] ^= 0x11
                let changed = try #require(
                    TPM2Params(
                        parent: .made,
                        parentName: parts[0],
                        registers: 0,
                        publicArea: parts[1],
                        privateArea: parts[2],
                        hasPIN: true
                    )
                )
                #expect(throws: TPMError.self) { try open(changed, emulator, pin: Self.pin) }
            }
        }
        #expect(try open(object, emulator, pin: Self.pin) == Self.secret)
    }

    @Test func `a storage key that stays is used, and must be the same afterwards`() throws {
        let emulator = try Emulator()
        try emulator.keepStorageKey(auth: [])
        let object = try seal(emulator)
        #expect(object.parent == .persistent)
        #expect(try open(object, emulator) == Self.secret)
        try emulator.clear()
        #expect(throws: TPMError.otherTPM) { try open(object, emulator) }
    }

    @Test func `a storage key with a password of its own is left alone`() throws {
        let emulator = try Emulator()
        try emulator.keepStorageKey(auth: [1, 2, 3])
        #expect(try seal(emulator).parent == .made)
        #expect(try emulator.connect().lockout().wrong == 0)
    }

    @Test func `an owner's password is said`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator)
        try emulator.own()
        #expect(throws: TPMError.owned) { try seal(emulator) }
        #expect(throws: TPMError.owned) { try open(object, emulator) }
    }

    @Test func `a connection that is lost at any command is an error, and the next one works`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator, registers: 1 << 16)
        var count = 0
        while count < 50 {
            emulator.lose(after: count)
            do { _ = try open(object, emulator) } catch is TPMError {
                try emulator.cutPower()
                count += 1
                continue
            }
            break
        }
        #expect((4..<50).contains(count))
        emulator.lose(after: nil)
        // What could not be flushed any more is still in an emulator without a resource manager.
        try emulator.cutPower()
        #expect(try emulator.connect().lockout().wrong == 0)
        #expect(try open(object, emulator) == Self.secret)
    }

    @Test func `a TPM that stays busy is given up`() throws {
        let emulator = try Emulator()
        let object = try seal(emulator)
        emulator.answer(0x920, count: 1_000)
        #expect(throws: TPMError.busy) { try open(object, emulator) }
    }

    @Test func `a device that is none is said`() {
        #expect(throws: TPMError.noTPM) { try TPM(.device("/dev/hsip-no-such-tpm")) }
    }
}
