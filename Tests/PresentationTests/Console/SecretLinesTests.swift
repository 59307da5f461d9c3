import Presentation
import Testing
import VaultCrypto

struct SecretLinesTests {
    private static let words = "brisk-otter-lamp-fjord-maple-tunnel-orbit"
    private static let code = "QXGH-2M6E-YY7Z-53SC-TBA7-S4K9-D0QK"

    private func lines(_ title: String, _ secret: String, _ remark: String, to columns: Int) throws
        -> [String]
    {
        let made = try SecretLines(title, remark: remark)
            .text(Secret(copying: Array(secret.utf8)), columns: columns)
        let text = made.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `where there is room all of it is one line`() throws {
        #expect(
            try lines("Recovery code", Self.code, "opens the vault without it", to: 100)
                == ["  Recovery code  \(Self.code)         opens the vault without it", ""]
        )
    }

    @Test(arguments: [40, 60, 80])
    func `no line of a new passphrase or recovery code is wider than the window`(columns: Int) throws {
        for (title, secret) in [("Passphrase", Self.words), ("Recovery code", Self.code)] {
            let shown = try lines(title, secret, "opens the vault without it", to: columns)
            #expect(shown.allSatisfy { $0.count <= columns }, "\(shown)")
            // What is to be typed is all there, and in order; nothing stands between its pieces.
            #expect(shown.map { $0.filter { $0 != " " } }.joined().contains(secret), "\(shown)")
            #expect(shown.last == "")
        }
    }

    @Test func `a recovery code that fits under its title is not broken`() throws {
        #expect(
            try lines("Recovery code", Self.code, "opens the vault without it", to: 40)
                == ["  Recovery code", "  \(Self.code)", "  opens the vault without it", ""]
        )
        #expect(
            try lines("Recovery code", Self.code, "opens the vault without it", to: 60)
                == ["  Recovery code  \(Self.code)", "                 opens the vault without it", ""]
        )
    }

    @Test func `a passphrase is broken behind a hyphen, and a word that is wider than the window at its end`()
        throws
    {
        #expect(
            try lines("Passphrase", "one-two-three-four", "x", to: 12)
                == ["  Passphrase", "  one-two-", "  three-four", "  x", ""]
        )
        #expect(
            try lines("Key", "abcdefghij", "x", to: 6) == ["  Key", "  abcd", "  efgh", "  ij", "  x", ""]
        )
    }
}
