import Secrets
import Testing

@Suite struct `Bitwarden's JSON` {
    private static let export = #"""
        {"encrypted": false, "folders": [{"id": "f1", "name": "Work/Mail"}], "items": [
          {"id": "1", "folderId": "f1", "type": 1, "name": "ma\u0069l \ud83d\ude00", "notes": "a\nb",
           "favorite": true, "creationDate": "2024-01-01T00:00:00.000Z", "revisionDate": "2024-02-01T00:00:00.123Z",
           "fields": [{"name": "PIN", "value": "12\"34", "type": 1}, {"name": "empty", "value": null, "type": 0},
                      {"name": "site", "value": "two", "type": 0}],
           "login": {"uris": [{"match": null, "uri": "https://ex.org"}, {"uri": "https://b.org"}],
                     "username": "bob", "password": "pä\\ss", "totp": "JBSW"},
           "passwordHistory": [{"lastUsedDate": "x", "password": "old"}]},
          {"type": 2, "name": "text", "notes": "only this", "secureNote": {"type": 0}},
          {"type": 3, "name": "card", "card": {"cardholderName": "B", "number": "4111", "code": "123", "brand": null}},
          {"type": 4, "name": "me", "identity": {"firstName": "Bob", "ssn": "1-2"}},
          {"type": 5, "name": "key", "sshKey": {"privateKey": "-----BEGIN", "publicKey": "ssh-ed25519 A"}},
          {"type": 9, "name": "new"}, {"type": 1, "name": "gone", "deletedDate": "2024-01-01T00:00:00Z",
           "login": {"password": "x"}}, {"type": 1, "name": "nothing", "login": {"password": ""}}
        ]}
        """#

    @Test func `a login comes with its fields, its folder and its times`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.format == .bitwarden)
        let mail = document.candidates[0]
        #expect(mail.title == "mail 😀")
        #expect(mail.folder == ["Work", "Mail"])
        #expect(mail.created == 1_704_067_200)
        #expect(mail.leftOut == [.history])
        #expect(
            document.fields(0) == [
                "user": "bob", "password": "pä\\ss", "totp": "JBSW", "url": "https://ex.org",
                "own url 2": "https://b.org", "note": "a\nb", "own PIN": "12\"34", "own site": "two",
            ]
        )
        #expect(mail[.named("PIN")]?.isHidden == true)
        #expect(mail[.named("site")]?.isHidden == false)
    }

    @Test func `notes, cards, identities and keys keep every text under its name`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.candidates.map(\.kind) == [.login, .note, .card, .identity, .key])
        #expect(document.fields(1) == ["note": "only this"])
        #expect(document.fields(2) == ["own cardholderName": "B", "own number": "4111", "own code": "123"])
        #expect(document.fields(3) == ["own firstName": "Bob", "own ssn": "1-2"])
        #expect(document.candidates[4][.named("privateKey")]?.isHidden == true)
    }

    @Test func `what cannot be taken is named with a reason`() throws {
        #expect(
            try Sample.read(Self.export).refused == [
                RefusedEntry("new", place: 6, .unknownKind), RefusedEntry("gone", place: 7, .inTrash),
                RefusedEntry("nothing", place: 8, .empty),
            ]
        )
    }

    @Test(arguments: [
        #"{"encrypted": true, "items": []}"#,
        #"{"encrypted": true, "passwordProtected": true, "salt": "x", "data": "2.x"}"#,
    ])
    func `what Bitwarden encrypted is refused as that`(export: String) {
        #expect(throws: ImportError.encrypted) { try Sample.read(export) }
    }

    @Test(arguments: [
        "{", "{\"a\"", "{\"a\":1,}", "[1]x", "{\"a\":\"\\q\"}", "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\ud800\\u0041\"}",
        "{\"a\":\"\u{1}\"}", "{\"a\":01x}", "{\"a\":tru}", "{'a':1}", "{\"a\":\"\\u12g4\"}", "{\"a\":-}\u{0}",
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(throws: ImportError.self) { try Sample.read(text, as: .bitwarden) }
    }

    @Test func `the line of an error is the line as written, whatever was decoded before it`() {
        #expect(throws: ImportError.malformed(line: 2)) {
            try Sample.read("{\"a\":\"\\n\\n\\n\\u000a\",\n x}", as: .bitwarden)
        }
        #expect(throws: ImportError.malformed(line: 3)) {
            try Sample.read("{\"a\":\"\\n\",\n\n\"b\":\"\\n\\q\"}", as: .bitwarden)
        }
    }

    @Test func `items without a type are of another program`() {
        #expect(throws: ImportError.unknownFormat) {
            try Sample.read(#"{"items": [{"name": "a", "password": "p"}]}"#)
        }
    }

    @Test func `a field of one's own that is a number is kept`() throws {
        let document = try Sample.read(
            #"{"items": [{"type": 1, "name": "a", "fields": [{"name": "PIN", "value": 12, "type": 1}]}, {"name": "b"}]}"#
        )
        #expect(document.fields(0) == ["own PIN": "12"])
        #expect(document.refused == [RefusedEntry("b", place: 2, .unknownKind)])
    }

    @Test func `JSON of something else is refused, and so is endless nesting`() {
        #expect(throws: ImportError.unknownFormat) { try Sample.read("{\"items\": 3}") }
        #expect(throws: ImportError.tooDeep) {
            try Sample.read(String(repeating: "[", count: 100_000), as: .bitwarden)
        }
    }
}
