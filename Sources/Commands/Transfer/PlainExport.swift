internal import Presentation
package import SSHFormats
package import Secrets
internal import System
internal import Text
package import VaultCrypto

/// A vault's secrets and keys as plaintext, in locked memory until they are written.
package struct PlainExport: ~Copyable {
    /// The most bytes that are written: 256 MiB.
    private static let limit = 256 << 20
    /// The columns that every table has, and their fields.
    private static let columns = [
        ("username", CredentialField.user), ("password", CredentialField.password),
        ("url", CredentialField.url),
        ("totp", CredentialField.totp), ("notes", "notes"),
    ]
    /// The most columns in a table.
    private static let maximumColumns = 200

    /// The text.
    package let bytes: SecretBytes
    /// Names of entries that a table cannot hold.
    package let leftOut: [String]

    /// Makes a table with one line for each entry; each custom field has its own column.
    package init(csv batch: CredentialBatch) throws {
        let items = try batch.items()
        var names: [String] = []
        var leftOut: Set<Int> = []
        let fixed = Set(Self.columns.map(\.1))
        for (index, item) in items.enumerated() {
            let fields = try item.credential().current.fields
            guard fields.allSatisfy({ Self.isText($0.value) }) else {
                leftOut.insert(index)
                continue
            }
            let fresh = fields.map(\.name).filter { !fixed.contains($0) && !names.contains($0) }
            guard names.count + fresh.count <= Self.maximumColumns else {
                leftOut.insert(index)
                continue
            }
            names += fresh
        }
        let columns = Self.columns.map(\.1) + names
        var out = try SecretBuffer(limit: Self.limit)
        try Self.row(["name", "tags"] + Self.columns.map(\.0) + names, &out)
        for (index, item) in items.enumerated() where !leftOut.contains(index) {
            let credential = try item.credential()
            try Self.cell(Array(item.name.utf8), &out)
            try out.append(UInt8(ascii: ","))
            try Self.cell(Array(credential.tags.joined(separator: ",").utf8), &out)
            for column in columns {
                try out.append(UInt8(ascii: ","))
                if let field = credential.current[column] { try Self.cell(field.value, &out) }
            }
            try out.append(0x0A)
        }
        bytes = try out.finish()
        self.leftOut = leftOut.sorted().map { items[$0].name }
    }

    /// Makes JSON (Schemas/export.md section 4), with one entry on each line.
    package init(json batch: CredentialBatch, _ keys: [(String, KeyRecord)], now: Int64) throws {
        var out = try SecretBuffer(limit: Self.limit)
        try Self.text("{\"hsipExport\":1,\"madeAt\":\"\(Times.rfc3339(now))\",\"secrets\":[", &out)
        for (index, item) in try batch.items().enumerated() {
            try Self.text(index > 0 ? ",\n" : "\n", &out)
            try Self.line(try Self.json(try item.credential(), item.name), &out)
        }
        try Self.text("],\"sshKeys\":[", &out)
        for (index, (name, record)) in keys.enumerated() {
            try Self.text(index > 0 ? ",\n" : "\n", &out)
            let text = try OpenSSHKeyFile(record.key, passphrase: nil, entropy: .system).text()
            try Self.line(
                ["name": .text(name), "privateKey": .secret(Secret(text))],
                &out
            )
        }
        try Self.text("]}\n", &out)
        bytes = try out.finish()
        leftOut = []
    }

    private static func json(_ credential: Credential, _ name: String) throws -> JSONValue {
        [
            "name": .text(name), "type": .text(credential.kind.word),
            "tags": .list(credential.tags.map { .text($0) }),
            "expiresAt": .optional(credential.expires.map { Times.rfc3339(Int64(clamping: $0)) }),
            "changedAt": .text(Times.rfc3339(Int64(clamping: credential.current.created))),
            "fields": .list(
                credential.current.fields.map { field in
                    let isText = isText(field.value)
                    return [
                        "name": .text(field.name), "value": isText ? .secret(field.value) : nil,
                        "valueBase64": isText ? nil : .secretBase64(field.value),
                    ]
                }
            ),
        ]
    }

    private static func line(_ value: JSONValue, _ out: inout SecretBuffer) throws {
        try append(try JSONWriter.bytes(value), &out)
    }

    private static func text(_ text: String, _ out: inout SecretBuffer) throws {
        for byte in text.utf8 { try out.append(byte) }
    }

    private static func append(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ out: inout SecretBuffer
    ) throws {
        try bytes.withBytes { span throws(ConsoleError) in try out.append(span) }
    }

    private static func row(_ names: [String], _ out: inout SecretBuffer) throws {
        for (index, name) in names.enumerated() {
            if index > 0 { try out.append(UInt8(ascii: ",")) }
            try cell(Array(name.utf8), &out)
        }
        try out.append(0x0A)
    }

    /// Writes a quoted cell, with each quote in it doubled (RFC 4180).
    private static func cell(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ out: inout SecretBuffer
    ) throws {
        try out.append(UInt8(ascii: "\""))
        try bytes.withBytes { span in
            for index in 0..<span.byteCount {
                let byte = span.byte(at: index)
                if byte == UInt8(ascii: "\"") { try out.append(byte) }
                try out.append(byte)
            }
        }
        try out.append(UInt8(ascii: "\""))
    }

    /// Whether a value is UTF-8 without a zero byte; checked without a copy.
    private static func isText(_ value: Secret) -> Bool {
        value.withBytes { span in
            unsafe span.withUnsafeBytes { bytes in
                guard unsafe !bytes.contains(0) else { return false }
                return unsafe (try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)) != nil
            }
        }
    }
}
