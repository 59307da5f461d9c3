import Secrets
import Testing
import VaultCrypto

struct ReferenceTests {
    @Test(arguments: [
        ("vault:db", Reference(name: "db")),
        ("vault:db/prod#user", Reference(name: "db/prod", field: "user")),
        ("vault:me@example.org", Reference(name: "me@example.org")),
        ("vault:C%23%20key%25#a%20b", Reference(name: "C# key%", field: "a b")),
        ("vault:schl%C3%BCssel", Reference(name: "schlüssel")), ("vault:a:b", Reference(name: "a:b")),
        ("vault:%7Bx%7D", Reference(name: "{x}")),
    ]) func `a reference is read, and written so that it is read again`(text: String, reference: Reference) {
        #expect(Reference(reading: Array(text.utf8)) == reference)
        #expect(Reference(reading: Array(reference.text.utf8)) == reference)
    }

    @Test(arguments: [
        "", "vault", "vault:", "Vault:db", " vault:db", "vault:db ", "vault:a b", "vault:#user", "vault:db#",
        "vault:db#a#b", "vault:db%", "vault:db%2", "vault:db%zz", "vault:%FF", "vault:a{b", "vault:a}b",
        "vault:a\u{7F}", "vault:a\nb", "vault:" + String(repeating: "a", count: 2_043),
    ]) func `anything else is none`(text: String) {
        #expect(Reference(reading: Array(text.utf8)) == nil)
    }

    @Test func `every name can be written`() {
        let entropy = Entropy.seeded([4])
        for count in 1..<120 {
            let bytes = entropy.bytes(count).map { $0 & 0x7F }
            let reference = Reference(
                name: String(decoding: bytes, as: UTF8.self),
                field: count.isMultiple(of: 2) ? String(decoding: bytes.reversed(), as: UTF8.self) : nil
            )
            #expect(Reference(reading: Array(reference.text.utf8)) == reference)
        }
    }
}

struct TemplateTests {
    private func template(_ text: String) throws -> Template {
        try Template(try Secret(copying: Array(text.utf8)))
    }

    private func filled(_ text: String, _ value: [UInt8]) throws -> [UInt8] {
        let template = try template(text)
        let secret = try Secret(copying: value)
        let values = Dictionary(uniqueKeysWithValues: template.references.map { ($0, secret) })
        return try template.filled(values).withBytes { $0.copied() }
    }

    @Test func `placeholders are filled byte for byte`() throws {
        let value: [UInt8] = [0, 0xFF, 0x0A, 0x7B, 0x7B, 0x0D]
        let result = try filled("a{{ vault:x }}b{{vault:y#z}}\n{{\tvault:x}}", value)
        #expect(result == [0x61] + value + [0x62] + value + [0x0A] + value)
        #expect(try filled("", value).isEmpty)
        #expect(try filled("{{vault:x}}{{vault:x}}", []).isEmpty)
        // What a value holds is not read again.
        #expect(try filled("{{vault:x}}", Array("{{vault:y}}".utf8)) == Array("{{vault:y}}".utf8))
    }

    @Test(arguments: [
        "no placeholders", "{{ other }}", "{{", "{{ ", "{ {vault:x}}", "vault:x", "{{ Vault:x }}",
        "{{#each vault:x}}",
        "}}", "{", "{{ vaul",
    ]) func `text that is no placeholder stays as it is`(text: String) throws {
        #expect(try template(text).references.isEmpty)
        #expect(try filled(text, [1]) == Array(text.utf8))
    }

    @Test func `a third brace belongs to the text`() throws {
        #expect(try filled("{{{vault:x}}}", [0x2A]) == Array("{*}".utf8))
    }

    @Test(arguments: [
        ("{{vault:}}", 1), ("\n\n{{ vault:x", 3), ("{{vault:x}", 1), ("{{ vault:a b }}", 1),
        ("{{vault:x#}}", 1), ("\n{{vault:x\n}}", 2), ("{{vault:x%}}", 1), ("a {{vault:b}} \n {{vault:}}", 2),
    ]) func `a placeholder that is no reference is refused with its line`(text: String, line: Int) {
        #expect(throws: TemplateError.malformed(line: line)) { try template(text) }
    }

    @Test func `a placeholder without its value leaves nothing`() throws {
        #expect(throws: TemplateError.missing) { _ = try template("a{{vault:x}}").filled([:]).count }
    }

    @Test func `limits hold`() throws {
        let placeholder = "{{vault:x}}"
        #expect(throws: Never.self) { try template(String(repeating: placeholder, count: 1_000)) }
        #expect(throws: TemplateError.tooLarge) { try template(String(repeating: placeholder, count: 1_001)) }
        #expect(throws: TemplateError.tooLarge) {
            try Template(try Secret(copying: [UInt8](repeating: 0x20, count: 1 << 20 + 1)))
        }
        let large = [UInt8](repeating: 7, count: 1 << 20)
        #expect(throws: TemplateError.tooLarge) {
            _ = try filled(String(repeating: placeholder, count: 17), large)
        }
    }

    @Test func `any bytes are read or refused`() throws {
        let entropy = Entropy.seeded([5])
        for count in 0..<300 {
            let noise = entropy.bytes(count).map { $0 < 128 ? UInt8(ascii: "{") : $0 }
            _ = try? Template(try Secret(copying: noise + Array("vault:".utf8) + noise))
        }
    }
}
