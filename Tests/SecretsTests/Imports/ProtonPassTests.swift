import Secrets
import Testing

@Suite struct `Proton Pass's JSON` {
    private static let export = #"""
        {"version": "1.21.2", "userId": "u", "encrypted": false, "vaults": {"share": {"name": "Personal", "items": [
          {"itemId": "1", "state": 1, "createTime": 1689182868, "modifyTime": 1689182908, "files": ["scan.pdf"],
           "data": {"type": "login", "metadata": {"name": "Mail", "note": "a\nb"},
             "extraFields": [{"fieldName": "PIN", "type": "hidden", "data": {"content": "12"}},
               {"fieldName": "second", "type": "totp", "data": {"totpUri": "MFRGG"}}],
             "content": {"itemEmail": "e@x.org", "itemUsername": "bob", "password": "p\"w", "passkeys": [{"keyId": "k"}],
               "urls": ["https://a.org", "https://b.org"], "totpUri": "otpauth://totp/x?secret=MFRGG"}}},
          {"state": 2, "data": {"type": "login", "metadata": {"name": "Gone"}, "content": {"password": "x"}}},
          {"state": 1, "aliasEmail": "alias@x.org", "data": {"type": "alias", "metadata": {"name": "Alias"}, "content": {}}},
          {"state": 1, "data": {"type": "note", "metadata": {"name": "Note", "note": "only"}, "content": {}}},
          {"state": 1, "data": {"type": "creditCard", "metadata": {"name": "Card", "note": ""}, "content":
            {"cardholderName": "B", "number": "4111", "verificationNumber": "333", "expirationDate": "012028", "pin": ""}}},
          {"state": 1, "data": {"type": "sshKey", "metadata": {"name": "Key"}, "content": {"privateKey": "-----BEGIN",
            "publicKey": "ssh", "sections": [{"sectionName": "s", "sectionFields": [
              {"fieldName": "x", "type": "text", "data": {"content": "y"}}]}]}}},
          {"data": {"type": "login", "metadata": {"name": "E"}, "content": {"itemEmail": "e", "password": "p"}}}
        ]}}}
        """#

    @Test func `a login comes with its fields, addresses, codes and times`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.format == .protonPass)
        let mail = document.candidates[0]
        #expect(mail.title == "Mail")
        #expect(mail.created == 1_689_182_868)
        #expect(mail.modified == 1_689_182_908)
        #expect(mail.leftOut == [.passkey, .attachments])
        #expect(mail.attachments == ["scan.pdf"])
        #expect(
            document.fields(0) == [
                "user": "bob", "own email": "e@x.org", "password": "p\"w", "url": "https://a.org",
                "own url 2": "https://b.org", "totp": "otpauth://totp/x?secret=MFRGG", "own PIN": "12",
                "own second": "MFRGG", "note": "a\nb",
            ]
        )
        #expect(document.fields(document.candidates.count - 1) == ["user": "e", "password": "p"])
    }

    @Test func `everything else comes with its texts, and the trash is named`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.candidates.map(\.title) == ["Mail", "Alias", "Note", "Card", "Key", "E"])
        #expect(document.candidates.map(\.kind) == [.login, .note, .note, .note, .key, .login])
        #expect(document.fields(1) == ["own alias": "alias@x.org"])
        #expect(document.fields(2) == ["note": "only"])
        #expect(
            document.fields(3) == [
                "own cardholderName": "B", "own number": "4111", "own verificationNumber": "333",
                "own expirationDate": "012028",
            ]
        )
        #expect(document.fields(4) == ["own privateKey": "-----BEGIN", "own publicKey": "ssh", "own x": "y"])
        #expect(document.refused == [RefusedEntry("Gone", place: 2, .inTrash)])
    }

    @Test(arguments: [
        (
            #""autofillUrls": [{"url": "https://a.org", "mode": 1}, {"url": "b.org", "mode": 0}]"#,
            ["https://a.org", "b.org"]
        ),
        (
            #""autofillUrls": [{"url": "https://a.org", "mode": 1}, {"url": "b.org"}], "urls": ["b.org", "https://c.org"]"#,
            ["https://a.org", "b.org", "https://c.org"]
        ),
        (#""urls": ["https://a.org", "https://a.org"], "autofillUrls": []"#, ["https://a.org"]),
    ])
    func `addresses of either list are there once`(lists: String, addresses: [String]) throws {
        let item = #"{"data": {"type": "login", "metadata": {"name": "a"}, "content": {\#(lists)}}}"#
        let document = try Sample.read(#"{"vaults": {"v": {"items": [\#(item)]}}}"#)
        #expect(document.candidates[0].fields.map { document.text($0) } == addresses)
    }

    @Test(arguments: [
        #"{"vaults": {"v": {"entries": [{"name": "a", "password": "p"}]}}}"#, #"{"vaults": {"v": []}}"#,
        #"{"vaults": {"v": {"items": []}, "w": {"name": "W"}}}"#,
    ])
    func `vaults of another program are no export of Proton Pass`(text: String) {
        #expect(throws: ImportError.unknownFormat) { try Sample.read(text) }
    }

    @Test func `an item without its data is named`() throws {
        let document = try Sample.read(#"{"vaults": {"v": {"items": [{"name": "a", "password": "p"}, 1]}}}"#)
        #expect(document.candidates.isEmpty)
        #expect(document.refused.map(\.reason) == [.unknownKind, .unknownKind])
    }

    @Test func `what Proton encrypted is refused as that`() {
        #expect(throws: ImportError.encrypted) { try Sample.read(#"{"encrypted": true, "vaults": {}}"#) }
    }
}
