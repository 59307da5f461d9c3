import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// One-time passwords by time and by counter, on every store.
struct OneTimeCodeTests {
    private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    /// RFC 4226 appendix D.
    private static let passwords = [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
    ]

    private func keep(_ text: String, _ vault: any VaultService) async throws {
        var change = CredentialChange()
        try change.put(text, in: "totp")
        try change.put("first", in: "password")
        _ = try await vault(Operations.setCredential, "mail", change)
    }

    private func text(_ code: OneTimeCode) -> String {
        code.digits.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    private func address(_ vault: any VaultService) async throws -> String {
        let value = try await vault.credentialValue(CredentialReference("mail", field: "totp")).value
        return value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    @Test(arguments: Backend.allCases)
    func `passwords by counter are those of RFC 4226, one after the other, for all processes together`(
        backend: Backend
    ) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        try await keep("otpauth://hotp/Mail:me?secret=\(Self.key)&counter=0&issuer=Mail", alice.vault)
        let vaults = [alice.vault, alice.secondProcess()]
        for (number, password) in Self.passwords.enumerated() {
            let code = try await vaults[number % 2](Operations.oneTimeCode, "mail")
            #expect(text(code) == password)
            #expect(code.validity == .counter(UInt64(number)))
            #expect(code.issuer == "Mail" && code.account == "me" && code.name == "mail")
        }
        #expect(
            try await address(alice.vault)
                == "otpauth://hotp/Mail:me?secret=\(Self.key)&counter=10&issuer=Mail"
        )
    }

    @Test func `a password of this moment writes nothing`() async throws {
        let clock = TestClock(59)
        let alice = try await Person("Alice", clock: clock)
        try await keep("otpauth://totp/me?secret=\(Self.key)&digits=8", alice.vault)
        let commits = try alice.faulty().commits
        let code = try await alice.vault(Operations.oneTimeCode, "mail")
        #expect(text(code) == "94287082" && code.validity == .seconds(left: 1, of: 30))
        #expect(try alice.faulty().commits == commits)
    }

    @Test func `fifty passwords by counter drive no version out`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        try await keep("otpauth://hotp/me?secret=\(Self.key)&counter=0", vault)
        var change = CredentialChange()
        try change.put("second", in: "password")
        _ = try await vault(Operations.setCredential, "mail", change)
        for _ in 0..<50 { _ = try await vault(Operations.oneTimeCode, "mail") }
        #expect(try await vault(Operations.credential, "mail", .kept).versions.map(\.number) == [1, 2])
        let first = try await vault.credentialValue(
            CredentialReference("mail", field: "password", version: 1)
        )
        #expect(first.value.withBytes { $0.copied() } == Array("first".utf8))
        let code = try await vault(Operations.oneTimeCode, "mail")
        #expect(code.validity == .counter(50))
    }

    @Test func `a commit that fails gives no password, and one whose end is unknown gives none twice`()
        async throws
    {
        let alice = try await Person("Alice", clock: TestClock())
        try await keep("otpauth://hotp/me?secret=\(Self.key)&counter=3", alice.vault)
        try alice.faulty().fail(atCommit: try alice.faulty().commits + 1, .before)
        await #expect(throws: (any Error).self) { try await alice.vault(Operations.oneTimeCode, "mail") }
        #expect(try await alice.vault(Operations.oneTimeCode, "mail").validity == .counter(3))
        try alice.faulty().fail(atCommit: try alice.faulty().commits + 1, .after)
        await #expect(throws: (any Error).self) { try await alice.vault(Operations.oneTimeCode, "mail") }
        #expect(try await alice.vault(Operations.oneTimeCode, "mail").validity == .counter(5))
    }

    @Test(arguments: [
        ("hello!", OneTimeError.badKey), ("otpauth://hotp/x?secret=MZXW6YTBOI", .unsupported),
        ("otpauth://hotp/x?secret=MZXW6YTBOI&counter=18446744073709551615", .spent),
    ])
    func `a field that gives no password is refused and stays`(field: String, error: OneTimeError)
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        try await keep(field, vault)
        await #expect(throws: VaultError.oneTime(error)) { try await vault(Operations.oneTimeCode, "mail") }
        #expect(try await address(vault) == field)
    }

    @Test func `without a key there is no password`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        await #expect(throws: VaultError.secret(.unknownName)) {
            try await vault(Operations.oneTimeCode, "mail")
        }
        var change = CredentialChange()
        try change.put("x", in: "password")
        _ = try await vault(Operations.setCredential, "mail", change)
        await #expect(throws: VaultError.secret(.unknownField)) {
            try await vault(Operations.oneTimeCode, "mail")
        }
        _ = try await vault(Operations.removeCredential, "mail", .any)
        await #expect(throws: VaultError.secret(.inTrash)) { try await vault(Operations.oneTimeCode, "mail") }
    }

    @Test(arguments: [OneTimeError.malformed, .badKey, .unsupported, .counted, .spent, .outOfMemory])
    func `every refusal is carried to a client`(error: OneTimeError) throws {
        #expect(try Loopback.carried(.oneTime(error)) == .oneTime(error))
    }
}
