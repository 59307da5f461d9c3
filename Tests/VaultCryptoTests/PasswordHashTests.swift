import Glibc
import Testing
import VaultCrypto

struct PasswordHashTests {
    struct Vector: Sendable {
        let password: String
        let salt: [UInt8]
        let operations: UInt32
        let kibibytes: UInt32
        let key: String
    }

    // The vector of RFC 9106 has a secret and associated data, which `crypto_pwhash` does not offer. These
    // known answers come from another implementation, the reference code of the Argon2 authors (through
    // argon2-cffi, hash_secret_raw with type ID, version 19, one lane).
    static let vectors = [
        Vector(
            password: "correct horse",
            salt: .counting(16),
            operations: 3,
            kibibytes: 65_536,
            key: "e3c889ca40ed01e6b6771fc8a5bf16e35ad60b41c9bd5d7e6d63adf51e50b0fd"
        ),
        Vector(
            password: "пароль",
            salt: .counting(16, from: 16),
            operations: 4,
            kibibytes: 66_560,
            key: """
                d8d52ab0d30a34f4dfe0d91ba504338f52af9d1ac84836afd43abd764db0af32
                316ba6034ce76a770f67de4055b60e07
                """
        ),
    ]

    @Test(arguments: vectors)
    func `a key is as the reference code of Argon2 makes it`(vector: Vector) throws {
        let expected = [UInt8](hex: vector.key)
        let key = try PasswordHash.derive(
            Secret(copying: Array(vector.password.utf8)),
            salt: vector.salt,
            parameters: .init(operations: vector.operations, kibibytes: vector.kibibytes),
            count: expected.count
        )
        #expect(exposed(key) == expected)
    }

    @Test(arguments: [(3, 65_536), (10, 65_536), (3, 1_048_576), (10, 1_048_576)] as [(UInt32, UInt32)])
    func `parameters at the bounds are accepted`(operations: UInt32, kibibytes: UInt32) throws {
        let parameters = try PasswordHash.Parameters(operations: operations, kibibytes: kibibytes)
        #expect(parameters.operations == operations)
        #expect(parameters.kibibytes == kibibytes)
    }

    @Test(
        arguments: [
            (2, 65_536), (11, 65_536), (0, 65_536), (3, 65_535), (3, 1_048_577), (3, 0), (3, .max),
            (.max, 65_536),
        ] as [(UInt32, UInt32)]
    )
    func `parameters beyond the bounds are refused`(operations: UInt32, kibibytes: UInt32) {
        #expect(throws: CryptoError.parametersOutOfBounds) {
            _ = try PasswordHash.Parameters(operations: operations, kibibytes: kibibytes)
        }
    }

    @Test func `the named parameters lie within the bounds`() throws {
        #expect(try PasswordHash.Parameters(operations: 3, kibibytes: 262_144) == PasswordHash.standard)
        #expect(try PasswordHash.Parameters(operations: 3, kibibytes: 65_536) == PasswordHash.floor)
    }

    @Test(arguments: [0, 15, 17])
    func `a salt of another size is refused`(size: Int) {
        #expect(throws: CryptoError.wrongSize(expected: 16, found: size)) {
            _ = try PasswordHash.derive(
                [1] as [UInt8],
                salt: .counting(size),
                parameters: PasswordHash.floor,
                count: 32
            )
        }
    }

    @Test(arguments: [(15, 16), (129, 128), (0, 16), (-1, 16)])
    func `a count outside 16 to 128 is refused`(count: Int, limit: Int) {
        #expect(throws: CryptoError.wrongSize(expected: limit, found: count)) {
            _ = try PasswordHash.derive(
                [1] as [UInt8],
                salt: .counting(16),
                parameters: PasswordHash.floor,
                count: count
            )
        }
    }

    @Test func `memory that is not to be had is a refusal, not a crash`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let parameters = try PasswordHash.Parameters(operations: 3, kibibytes: 1 << 20)
            #expect(throws: CryptoError.outOfMemory) {
                _ = try PasswordHash.derive(
                    [1] as [UInt8],
                    salt: .counting(16),
                    parameters: parameters,
                    count: 32
                )
            }
        }
    }
}
