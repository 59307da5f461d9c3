import Secrets
import Testing

@Suite struct `1Password's export.data` {
    private static let export = #"""
        {"accounts": [{"attrs": {"accountName": "A"}, "vaults": [{"attrs": {"name": "Private", "type": "P"}, "items": [
          {"uuid": "a", "createdAt": 1614298956, "updatedAt": 1635346445, "state": "active", "categoryUuid": "001",
           "overview": {"title": "Mail", "url": "https://a.org", "urls": [{"label": "w", "url": "https://a.org"},
             {"url": "https://b.org"}], "tags": ["one", "two"]},
           "details": {"loginFields": [{"value": "bob", "name": "username", "fieldType": "T", "designation": "username"},
             {"value": "p\"w", "fieldType": "P", "designation": "password"}, {"value": "x", "name": "domain"},
             {"value": "", "name": "none"}], "notesPlain": "n\nm",
             "sections": [{"title": "S", "fields": [
               {"title": "code", "value": {"totp": "otpauth://totp/x?secret=MFRGG"}},
               {"title": "PIN", "value": {"concealed": "12"}}, {"title": "mail", "value": {"email": {"email_address": "e"}}},
               {"title": "since", "value": {"date": 1614298956}}, {"title": "scan", "value": {"file": {"fileName": "s.pdf"}}},
               {"title": "home", "value": {"address": {"street": "St", "city": "", "country": "de"}}},
               {"title": "", "id": "i", "value": {"string": "by id"}}, {"title": "none", "value": {"string": ""}}]}],
             "passwordHistory": [{"value": "old", "time": 1}]}},
          {"uuid": "b", "state": "archived", "overview": {"title": "Old"}, "details": {"password": "x"}},
          {"uuid": "c", "state": "deleted", "overview": {"title": "Gone"}, "details": {"password": "x"}},
          {"uuid": "d", "overview": {"title": "Doc"}, "details": {"documentAttributes": {"fileName": "d.bin"}}},
          {"uuid": "e", "categoryUuid": "114", "overview": {"title": "Key"}, "details": {"sections": [{"fields": [
            {"title": "private key", "value": {"sshKey": {"privateKey": "-----BEGIN", "metadata": {"publicKey": "ssh"}}}}]}]}},
          {"item": {"overview": {"title": "Wrapped"}, "details": {"password": "w", "loginFields": []}}, "file": null},
          {"overview": {"title": "Note"}, "details": {"notesPlain": "only"}}
        ]}]}]}
        """#

    @Test func `items come with the fields of every section, their addresses, tags and times`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.format == .onePassword)
        let mail = document.candidates[0]
        #expect(mail.title == "Mail")
        #expect(mail.kind == .login)
        #expect(mail.folder.isEmpty)
        #expect(mail.tags == ["one", "two"])
        #expect(mail.created == 1_614_298_956)
        #expect(mail.modified == 1_635_346_445)
        #expect(mail.leftOut == [.attachments, .history])
        #expect(mail.attachments == ["s.pdf"])
        #expect(
            document.fields(0) == [
                "user": "bob", "password": "p\"w", "own domain": "x", "note": "n\nm", "url": "https://a.org",
                "own url 2": "https://b.org", "totp": "otpauth://totp/x?secret=MFRGG", "own PIN": "12",
                "own mail": "e",
                "own since": "1614298956", "own home street": "St", "own home country": "de",
                "own i": "by id",
            ]
        )
    }

    @Test func `documents, archived and deleted items are named, and nothing else stays behind`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.candidates.map(\.title) == ["Mail", "Key", "Wrapped", "Note"])
        #expect(document.candidates.map(\.kind) == [.login, .key, .login, .note])
        #expect(document.fields(1) == ["own privateKey": "-----BEGIN", "own publicKey": "ssh"])
        #expect(document.fields(2) == ["password": "w"])
        #expect(
            document.refused == [
                RefusedEntry("Old", place: 2, .archived), RefusedEntry("Gone", place: 3, .inTrash),
                RefusedEntry("Doc", place: 4, .onlyFiles),
            ]
        )
    }

    @Test func `vaults are folders where there are several`() throws {
        let item = #"{"overview": {"title": "t"}, "details": {"password": "p"}}"#
        func vault(_ name: String) -> String { #"{"attrs": {"name": "\#(name)"}, "items": [\#(item)]}"# }
        let document = try Sample.read(#"{"accounts": [{"vaults": [\#(vault("A")), \#(vault("B"))]}]}"#)
        #expect(document.candidates.map(\.folder) == [["A"], ["B"]])
    }

    @Test(arguments: [
        #"{"accounts": [{"name": "a", "username": "u", "password": "p"}]}"#, #"{"accounts": ["a"]}"#,
        #"{"accounts": [{"vaults": [{"items": []}, {"entries": []}]}]}"#, #"{"accounts": [{"vaults": {}}]}"#,
    ])
    func `accounts of another program are no export of 1Password`(text: String) {
        #expect(throws: ImportError.unknownFormat) { try Sample.read(text) }
    }

    @Test func `an item without an overview and details is named`() throws {
        let items =
            #"[{"title": "x", "password": "p"}, "y", {"overview": {"title": "t"}, "details": {"password": "p"}}]"#
        let document = try Sample.read(#"{"accounts": [{"vaults": [{"items": \#(items)}]}]}"#)
        #expect(document.candidates.map(\.title) == ["t"])
        #expect(document.refused.map(\.reason) == [.unknownKind, .unknownKind])
    }

    @Test func `JSON of something else is refused when it was said to be this`() {
        #expect(throws: ImportError.unknownFormat) { try Sample.read("{}", as: .onePassword) }
    }
}
