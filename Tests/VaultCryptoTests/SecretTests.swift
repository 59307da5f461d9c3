import Testing
import VaultCrypto

struct SecretTests {
    static let password = "hunter2hunter2"

    @Test func `a secret shows nothing of itself`() throws {
        let secret = try Secret(copying: Array(Self.password.utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret], to: &dumped)
        dump((name: "login", secret), to: &dumped)
        let shown = [
            "\(secret)", "\([secret])", String(describing: secret), String(reflecting: secret), dumped,
        ]
        #expect(shown[0] == "<secret>")
        for text in shown {
            #expect(!text.contains(Self.password))
            // Nor as numbers: 104, 117 are "hu".
            #expect(!text.contains("104"))
        }
    }

    @Test func `a mirror has nothing to show`() throws {
        let secret = try Secret(copying: Array(Self.password.utf8))
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `holders share the bytes`() throws {
        let secret = try Secret(copying: Array(Self.password.utf8))
        let other = secret
        #expect(other.withBytes { $0.copied() } == Array(Self.password.utf8))
        #expect(secret.count == 14)
    }
}
