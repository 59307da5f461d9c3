import Glibc
import Hardware
import RecordStore
import Support
import Testing
import VaultCrypto

@Suite struct SecurityKeyTests {
    private static let pin = "\"pin\":\"2580blå\""

    @Test(arguments: [1, 2])
    func `the same secret comes back, another with a PIN, in as many packets as there must be`(protocol: Int)
        throws
    {
        let plain = try Authenticator("\"protocol\":\(`protocol`)")
        let guarded = try Authenticator("\"protocol\":\(`protocol`)", Self.pin)
        let (touched, first) = try enrol(plain.open())
        #expect(!touched.isVerified && touched.credential.count == 64 && touched.salt.count == 32)
        #expect(touched.model.starts(with: Array("HSIP".utf8)))
        let key = try plain.open()
        _ = plain.packets()
        #expect(try key.match(touched, .system) == .yes)
        #expect(plain.packets() <= 10)
        #expect(try open(touched, key) == first)
        #expect(plain.packets() <= 17)
        let (verified, second) = try enrol(guarded.open(), pin: "2580blå")
        #expect(verified.isVerified)
        // The same key after its PIN was set: a credential of before gives what it gave, without it.
        #expect(try open(touched, guarded.open()) == first)
        #expect(try open(verified, guarded.open(), pin: "2580blå") == second)
        #expect(first.count == 32 && second.count == 32 && first != second)
        let same = try #require(
            FIDO2Params(
                salt: touched.salt,
                model: touched.model,
                credential: touched.credential,
                isVerified: true
            )
        )
        #expect(try open(same, guarded.open(), pin: "2580blå") != first)
    }

    @Test func `a key is told from another without a touch`() throws {
        let (own, other) = try (Authenticator(seed: "01", "\"touch\":\"yes\""), Authenticator(seed: "02"))
        let (credential, _) = try enrol(own.open())
        let untouched = try Authenticator(seed: "01", "\"touch\":\"never\"")
        #expect(try untouched.open().match(credential, .system) == .yes)
        #expect(try other.open().match(credential, .system) == .no)
        #expect(throws: KeyError.otherKey) { try open(credential, other.open()) }
    }

    @Test func `wrong PINs cost tries, and three in a row pause`() throws {
        let key = try Authenticator(Self.pin)
        let (credential, secret) = try enrol(key.open(), pin: "2580blå")
        #expect(throws: KeyError.pinWrong(triesLeft: 7)) { try open(credential, key.open(), pin: "0000") }
        #expect(throws: KeyError.pinWrong(triesLeft: 6)) { try open(credential, key.open(), pin: "0000") }
        #expect(try open(credential, key.open(), pin: "2580blå") == secret)
        #expect(try key.open().triesLeft() == 8)
        for _ in 0..<2 { _ = try? open(credential, key.open(), pin: "0000") }
        #expect(throws: KeyError.pinPaused) { try open(credential, key.open(), pin: "0000") }
        #expect(throws: KeyError.pinPaused) { try open(credential, key.open(), pin: "2580blå") }
    }

    @Test(arguments: ["", "123", "ååå", "12\u{0}45", String(repeating: "1", count: 64)])
    func `a PIN that no key has is not tried`(pin: String) throws {
        let key = try Authenticator(Self.pin)
        let (credential, _) = try enrol(key.open(), pin: "2580blå")
        #expect(throws: KeyError.pinLength) { try open(credential, key.open(), pin: pin) }
        #expect(try key.open().triesLeft() == 8)
    }

    @Test func `a slot that is verified is never opened without`() throws {
        let key = try Authenticator(Self.pin)
        let (credential, _) = try enrol(key.open(), pin: "2580blå")
        #expect(throws: KeyError.pinNeeded) { try open(credential, key.open()) }
        #expect(throws: KeyError.pinNeeded) { try enrol(key.open()) }
    }

    @Test func `a finger and the PIN give the same secret`() throws {
        let key = try Authenticator(Self.pin, "\"finger\":true")
        let (credential, secret) = try enrol(key.open(), pin: "2580blå")
        #expect(try open(credential, key.open()) == secret)
    }

    @Test func `a key that verifies always from now on is said to have changed`() throws {
        let before = try Authenticator(Self.pin)
        let (credential, secret) = try enrol(before.open(), touchOnly: true)
        #expect(!credential.isVerified)
        #expect(try open(credential, before.open()) == secret)
        let after = try Authenticator(Self.pin, "\"always\":true")
        #expect(throws: KeyError.verificationChanged) { try open(credential, after.open()) }
    }

    @Test func `an old key wants its PIN for a credential that is touched alone`() throws {
        let key = try Authenticator(Self.pin, "\"old\":true", "\"protocol\":1")
        #expect(throws: KeyError.pinNeeded) { try enrol(key.open(), touchOnly: true) }
        let (credential, secret) = try enrol(key.open(), pin: "2580blå", touchOnly: true)
        #expect(!credential.isVerified)
        #expect(try open(credential, key.open()) == secret)
    }

    @Test func `a key that cannot make secrets is refused, and so is a short one`() throws {
        #expect(throws: KeyError.unfit) { try Authenticator("\"secrets\":false").open() }
        let key = try Authenticator("\"short\":true")
        #expect(throws: KeyError.self) { try enrol(key.open()) }
    }

    @Test(arguments: [("timeout", KeyError.timeout), ("no", .refused)])
    func `a touch that does not come is said`(way: String, error: KeyError) throws {
        let (credential, _) = try enrol(Authenticator().open())
        let key = try Authenticator("\"touch\":\"\(way)\"")
        #expect(throws: error) { try open(credential, key.open()) }
    }

    @Test func `a slow touch is waited for`() throws {
        let (credential, secret) = try enrol(Authenticator().open())
        #expect(try open(credential, Authenticator("\"touch\":\"slow\"").open()) == secret)
    }

    @Test func `another thread ends the wait`() throws {
        let (credential, _) = try enrol(Authenticator().open())
        let authenticator = try Authenticator("\"touch\":\"never\"")
        let key = try authenticator.open()
        // A thread of its own: tasks have to wait for threads that other tests hold.
        let ending = unsafe Unmanaged.passRetained(Ending(authenticator, key.wait)).toOpaque()
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                let ending = unsafe Unmanaged<Ending>.fromOpaque(context).takeRetainedValue()
                var tries = 0
                while !ending.authenticator.isWaiting, tries < 6_000 {
                    tries += 1
                    usleep(10_000)
                }
                ending.wait.cancel()
                return nil
            },
            ending
        )
        try #require(code == 0)
        #expect(throws: KeyError.cancelled) { try open(credential, key) }
        pthread_join(thread, nil)
        withExtendedLifetime(key) {}
    }

    private final class Ending: Sendable {
        let authenticator: Authenticator
        let wait: KeyWait

        init(_ authenticator: Authenticator, _ wait: KeyWait) {
            (self.authenticator, self.wait) = (authenticator, wait)
        }
    }

    @Test func `a key that is taken out at any packet is gone, and no harm is done`() throws {
        let authenticator = try Authenticator(Self.pin)
        let (credential, secret) = try enrol(authenticator.open(), pin: "2580blå")
        var packet = 1
        while packet < 100 {
            authenticator.lose(at: packet)
            do {
                _ = try open(credential, authenticator.open(), pin: "2580blå")
                break
            } catch is KeyError { packet += 1 }
        }
        #expect((20..<40).contains(packet))
        authenticator.lose(at: 0)
        #expect(try open(credential, authenticator.open(), pin: "2580blå") == secret)
    }

    @Test func `nonsense in any packet is an error, never another secret`() throws {
        let authenticator = try Authenticator(Self.pin)
        let (credential, secret) = try enrol(authenticator.open(), pin: "2580blå")
        for packet in 1..<30 {
            authenticator.spoil(packet)
            let found = try? open(credential, authenticator.open(), pin: "2580blå")
            #expect(found == nil || found == secret)
        }
        authenticator.lose(at: 0)
        #expect(try open(credential, authenticator.open(), pin: "2580blå") == secret)
    }

    @Test func `nothing plugged in is said`() throws {
        let ports = unsafe KeyPorts(list: { [] }, prepare: { _ in 0 })
        #expect(throws: KeyError.noKey) { try SecurityKeys(ports).list() }
    }
}
