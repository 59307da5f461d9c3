import Secrets
import Testing
import VaultCrypto

@Suite struct `A secret as a text` {
    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    private func login(_ fields: [(String, String)], tags: [String] = []) throws -> Credential {
        var made = try Credential(.login, fields.map { try CredentialField($0.0, text: $0.1) }, at: 1)
        try made.setTags(tags)
        return made
    }

    private func written(_ credential: Credential) throws -> String {
        let text = try CredentialText.text(of: credential, comment: ["a comment"], expires: "never")
        return text.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    private func changes(_ text: String, _ credential: Credential) throws -> CredentialTextChanges {
        try CredentialText(reading: try secret(text)).changes(to: credential, expires: "never")
    }

    private func values(_ changes: CredentialTextChanges) -> [String] {
        changes.values.map { field in
            field.name + "=" + field.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
        }
    }

    private static let hostile = [
        "", "x", "\n", "a\n", "a\n\n", "\n\na", "--- b", "\\--- b", "\\\\--- b\n--- c\n", "---", "--- ",
        " --- b", "# no",
        "tags: x", "a\n--- password\nb", "\tü😀 ", "a\\", "\\", "-----BEGIN X-----\nAA\n-----END X-----\n",
    ]

    @Test(arguments: hostile)
    func `gives every value back as it was`(value: String) throws {
        let credential = try login(
            [("password", value), ("a: # --- b", "2"), ("user", value)],
            tags: ["t", "u v"]
        )
        #expect(try changes(try written(credential), credential).isEmpty)
        // Editors end the last line.
        #expect(try changes(try written(credential) + "\n", credential).isEmpty)
    }

    @Test func `looks as its owner wants to read it`() throws {
        let credential = try login([("password", "hunter2"), ("notes", "one\ntwo\n")], tags: ["work", "db"])
        #expect(
            try written(credential) == """
                # a comment
                tags: db, work
                expires: never
                --- password
                hunter2
                --- notes
                one
                two


                """
        )
    }

    @Test func `says what was changed and nothing else`() throws {
        let credential = try login([("password", "a"), ("user", "u"), ("notes", "n\n")], tags: ["t", "u"])
        let changed = try changes(
            "tags: u, v\nexpires: 1y\n--- password\nb\n--- notes\nn\nm\n\n\n--- PIN\n12\n\n",
            credential
        )
        #expect(values(changed) == ["password=b", "notes=n\nm\n", "PIN=12"])
        #expect(changed.dropped == ["user"])
        #expect(changed.addedTags == ["v"])
        #expect(changed.removedTags == ["t"])
        #expect(changed.expires == "1y")
        let none = try changes("--- password\na\n--- user\nu\n--- notes\nn\n", credential)
        #expect(none.isEmpty)
    }

    @Test func `does not show bytes that an editor would change, and leaves them alone`() throws {
        var credential = try login([("password", "a")])
        let bytes = try Secret(copying: [0x61, 0x0D, 0x0A])
        try credential.add(credential.current.fields + [try CredentialField("crlf", bytes)], at: 2)
        let text = try written(credential)
        #expect(text.contains("# crlf: 3 bytes"))
        #expect(try changes(text, credential).isEmpty)
        #expect(throws: CredentialTextError.notText(line: 3)) {
            try changes("--- password\na\n--- crlf\nx\n", credential)
        }
    }

    @Test(arguments: [
        ("pass: x", CredentialTextError.malformed(line: 1)), ("tags: a\ntags: b", .malformed(line: 2)),
        ("\nwords", .malformed(line: 2)), ("--- \nx", .malformed(line: 1)),
        ("--- a\n1\n--- a\n", .twice(line: 3)),
        ("--- password\n\n", .emptyValue(line: 1)), ("--- password\na\n--- new\n", .emptyValue(line: 3)),
    ])
    func `in no form is refused with its line`(text: String, error: CredentialTextError) throws {
        let credential = try login([("password", "a")])
        #expect(throws: error) { try changes(text, credential) }
    }
}
