import Secrets
import Testing
import VaultCrypto

@testable import Commands

/// Names of other programs' entries, as the vault takes them.
@Suite struct `Names of imported entries` {
    private func names(_ titles: [String]) throws -> [String] {
        var store = try PassStore()
        for title in titles { try store.add(title, Array("x".utf8)) }
        return try store.finish().candidates.map { CandidateName.of($0) }
    }

    @Test(arguments: [
        ("work/mail", "work/mail"), ("a/ b /c", "a/b/c"), ("tab\there", "tab here"),
        ("\u{202E}evil\u{200F}", "evil"),
        ("e\u{301}", "\u{E9}"), ("\u{7}", "entry 1"), ("  ", "entry 1"),
    ])
    func `folders and title are joined, and what a name may not hold is left out`(
        title: String,
        name: String
    ) throws {
        let made = try names([title])
        #expect(made == [name])
        #expect(CredentialName.isValid(made[0]))
    }

    @Test func `a long name is cut at a letter`() throws {
        let name = try names([String(repeating: "ä", count: 250)])[0]
        #expect(name.utf8.count <= CredentialName.longest)
        #expect(name.hasSuffix("ä…"))
        #expect(CredentialName.isValid(name))
    }

    @Test(arguments: [
        "PIN", String(repeating: "ä", count: 70), String(repeating: "😀", count: 40), "", "\u{7}",
    ])
    func `each number makes another name of a field, however long it is`(name: String) {
        let names = (2...100).map { CandidateName.field(name, $0) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { CredentialField.isName($0) })
    }

    @Test func `folders beyond the longest name are not joined`() throws {
        let folder = String(repeating: "é", count: 250)
        let name = try names([Array(repeating: folder, count: 60).joined(separator: "/") + "/mail"])[0]
        #expect(name.hasPrefix("éé"))
        #expect(name.utf8.count <= CredentialName.longest)
    }

    @Test(arguments: [("PIN", "PIN"), (" a\nb ", "a b"), ("", "field"), ("\u{2028}", "field")])
    func `the names of fields are lines`(name: String, cleaned: String) {
        #expect(CandidateName.field(name) == cleaned)
    }
}
