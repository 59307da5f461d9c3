import Secrets
import Testing
import VaultCrypto

struct ServiceSessionTests {
    private static let encrypted = SessionAlgorithm.encrypted.rawValue

    @Test func `what libsecret, GNOME Keyring and SecretStorage sealed is opened`() throws {
        for vector in try SessionVector.all() {
            let (session, output) = try open(vector)
            #expect(output == .bytes(vector["publicValue"]), "\(vector.made)")
            let opened = try session.open(try sealed(vector["vector"], vector["ciphertext"]))
            #expect(exposed(opened) == vector["plaintext"], "\(vector.made)")
        }
    }

    @Test func `what is sealed under a given vector is what the others sealed`() throws {
        for vector in try SessionVector.all() {
            let (session, _) = try open(vector)
            let entropy = Entropy { _ in vector["vector"] }
            let sealed = try session.seal(vector["plaintext"], entropy: entropy)
            #expect(sealed.parameters == vector["vector"])
            #expect(exposed(sealed.value) == vector["ciphertext"], "\(vector.made)")
        }
    }

    @Test func `each value gets a vector of its own`() throws {
        let (session, _) = try open(try SessionVector.all()[0])
        let first = try session.seal([1])
        let second = try session.seal([1])
        #expect(first.parameters.count == 16)
        #expect(first.parameters != second.parameters)
        #expect(exposed(first.value) != exposed(second.value))
    }

    @Test func `a plain session passes values on and does not look at parameters`() throws {
        let (session, output) = try ServiceSession.open("plain", input: .text(""), pair: SessionKeyPair())
        #expect(output == .text(""))
        let sealed = try session.seal([1, 2, 3])
        #expect(sealed.parameters.isEmpty)
        #expect(exposed(sealed.value) == [1, 2, 3])
        let opened = try session.open(try self.sealed([9, 9, 9], [1, 2, 3]))
        #expect(exposed(opened) == [1, 2, 3])
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4_096, SealedValue.longest])
    func `a value of any length up to the limit comes back`(count: Int) throws {
        let (session, _) = try open(try SessionVector.all()[0])
        let value = Entropy.seeded([3]).bytes(count)
        #expect(exposed(try session.open(try session.seal(value))) == value)
    }

    @Test func `a value above the limit is refused both ways`() throws {
        let (session, _) = try open(try SessionVector.all()[0])
        let long = [UInt8](repeating: 7, count: SealedValue.longest + 1)
        let limit = ServiceError.valueTooLong(limit: SealedValue.longest)
        for session in [session, .plain] {
            #expect(throws: limit) { _ = try session.seal(long) }
            #expect(throws: limit) {
                let vector = [UInt8](repeating: 0, count: 16)
                _ = try session.open(try self.sealed(vector, long + [UInt8](repeating: 7, count: 31)))
            }
        }
    }

    @Test func `every fault of a value is the same refusal`() throws {
        let (session, _) = try open(try SessionVector.all()[0])
        let (vector, values) = try SessionVector.badValues()
        for value in values {
            #expect(throws: ServiceError.badValue) { _ = try session.open(try self.sealed(vector, value)) }
        }
    }

    @Test(arguments: [0, 15, 17]) func `a vector of another length is refused`(count: Int) throws {
        let (session, _) = try open(try SessionVector.all()[0])
        let vector = [UInt8](repeating: 0, count: count)
        #expect(throws: ServiceError.badParameters) {
            _ = try session.open(try self.sealed(vector, [UInt8](repeating: 0, count: 16)))
        }
    }

    @Test func `a public value that is out of range is refused`() throws {
        let prime = ModularPower.prime
        let zero = [UInt8](repeating: 0, count: 127)
        let bad: [[UInt8]] = [
            [], [0], [1], zero + [0], zero + [1], zero + [0, 2], prime, prime.dropLast() + [0xFE],
            [UInt8](repeating: 0xFF, count: 128), [UInt8](repeating: 2, count: 129),
        ]
        for value in bad {
            #expect(throws: ServiceError.badPublicValue) {
                _ = try ServiceSession.open(Self.encrypted, input: .bytes(value), pair: SessionKeyPair())
            }
        }
        let good: [[UInt8]] = [[2], zero + [2], prime.dropLast() + [0xFD]]
        for value in good {
            _ = try ServiceSession.open(Self.encrypted, input: .bytes(value), pair: SessionKeyPair())
        }
    }

    @Test func `an algorithm gets the input that belongs to it`() throws {
        let wrong: [(String, SessionInput)] = [("plain", .bytes([])), (Self.encrypted, .text(""))]
        for (algorithm, input) in wrong {
            #expect(throws: ServiceError.badInput) {
                _ = try ServiceSession.open(algorithm, input: input, pair: SessionKeyPair())
            }
        }
        for algorithm in ["", "Plain", "dh-ietf1024-sha256-aes128-cbc", "plain\0"] {
            #expect(throws: ServiceError.unknownAlgorithm) {
                _ = try ServiceSession.open(algorithm, input: .text(""), pair: SessionKeyPair())
            }
        }
    }

    /// A session with the exponent of an exchange.
    private func open(_ vector: SessionVector) throws -> (session: ServiceSession, output: SessionInput) {
        let pair = try SessionKeyPair(entropy: Entropy { _ in vector["exponent"] })
        return try ServiceSession.open(Self.encrypted, input: .bytes(vector["peer"]), pair: pair)
    }

    private func sealed(_ parameters: [UInt8], _ value: [UInt8]) throws -> SealedValue {
        SealedValue(parameters: parameters, value: try SecretBytes(copying: value))
    }
}
