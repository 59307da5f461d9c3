import Hardware
import Testing
import VaultCrypto

@Suite struct TPMCounterTests {
    private static let handle: UInt32 = 0x0180_1234
    private static let auth: [UInt8] = (0..<32).map { UInt8($0) &* 37 &+ 11 }

    private func make(
        _ emulator: Emulator,
        _ auth: [UInt8] = auth
    ) throws -> (counter: TPMCounter, value: UInt64) {
        try TPMCounter.make(at: Self.handle, auth: SecretBytes(copying: auth), emulator.connect())
    }

    private func read(_ counter: TPMCounter, _ emulator: Emulator, _ auth: [UInt8] = auth) throws -> UInt64 {
        try counter.read(auth: SecretBytes(copying: auth), emulator.connect())
    }

    private func increment(_ counter: TPMCounter, _ emulator: Emulator) throws -> UInt64 {
        try counter.increment(auth: SecretBytes(copying: Self.auth), emulator.connect())
    }

    @Test func `it counts by one, through a power cut, and its auth does not cross the bus in clear`() throws
    {
        let emulator = try Emulator()
        let made = try make(emulator)
        #expect(made.counter.handle == Self.handle)
        for step in 1...3 as ClosedRange<UInt64> {
            #expect(try increment(made.counter, emulator) == made.value + step)
            try emulator.cutPower()
            #expect(try read(made.counter, emulator) == made.value + step)
        }
        #expect(!emulator.saw(Self.auth))
    }

    @Test func `a counter that was removed, or made anew, is gone`() throws {
        let emulator = try Emulator()
        let first = try make(emulator)
        for _ in 0..<3 { _ = try increment(first.counter, emulator) }
        try first.counter.remove(emulator.connect())
        #expect(throws: TPMError.counterGone) { try read(first.counter, emulator) }
        #expect(throws: TPMError.counterGone) { try increment(first.counter, emulator) }
        try first.counter.remove(emulator.connect())
        let other = [UInt8](repeating: 9, count: 32)
        let second = try make(emulator, other)
        #expect(second.value > first.value + 3)
        #expect(throws: TPMError.counterGone) { try read(first.counter, emulator) }
        #expect(try read(second.counter, emulator, other) == second.value)
    }

    @Test func `what an attempt left that did not end is replaced`() throws {
        let emulator = try Emulator()
        try emulator.define(Self.handle, attributes: 0x0206_0014, auth: Self.auth)
        let made = try make(emulator)
        #expect(made.counter.handle == Self.handle)
        #expect(try read(made.counter, emulator) == made.value)
    }

    @Test func `the counter of another vault is left alone`() throws {
        let emulator = try Emulator()
        let auth = [UInt8](repeating: 9, count: 32)
        let other = try make(emulator, auth)
        let made = try make(emulator)
        #expect(made.counter.handle == other.counter.handle + 1)
        #expect(try read(other.counter, emulator, auth) == other.value)
        #expect(try read(made.counter, emulator) == made.value)
    }

    @Test func `an index of someone else is left alone`() throws {
        let emulator = try Emulator()
        try emulator.define(Self.handle, attributes: 0x0006_0006, auth: [1], size: 4)
        let made = try make(emulator)
        #expect(made.counter.handle == Self.handle + 1)
        #expect(throws: Emulator.Refusal.self) {
            try emulator.define(Self.handle, attributes: 0x0006_0006, auth: [1], size: 4)
        }
    }

    @Test func `an index of another form with the same auth is not believed`() throws {
        let emulator = try Emulator()
        let made = try make(emulator)
        try made.counter.remove(emulator.connect())
        // ORDERLY, which spares the flash and jumps.
        try emulator.define(Self.handle, attributes: 0x0606_0014, auth: Self.auth)
        #expect(throws: TPMError.counterGone) { try read(made.counter, emulator) }
    }

    @Test func `a TPM that was cleared has no counter any more`() throws {
        let emulator = try Emulator()
        let made = try make(emulator)
        try emulator.clear()
        #expect(throws: TPMError.counterGone) { try read(made.counter, emulator) }
        #expect(try make(emulator).value > made.value)
    }

    @Test func `an owner's password is said`() throws {
        let emulator = try Emulator()
        let made = try make(emulator)
        try emulator.own()
        #expect(throws: TPMError.owned) { try make(emulator, [UInt8](repeating: 9, count: 32)) }
        #expect(throws: TPMError.owned) { try made.counter.remove(emulator.connect()) }
        #expect(try increment(made.counter, emulator) == made.value + 1)
    }
}
