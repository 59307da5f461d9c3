internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import SafeText
internal import VaultKit

/// `hsip ssh key show NAME`.
struct SSHKeyShow: Command {
    static let path = "ssh key show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "All about a key but its private half.",
        discussion: """
              hsip ssh key show work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    @Flag(help: "One that was removed.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let record = try await KeyNames(context, vault).publicHalf(name, inTrash: trash)
        let key = record.summary
        let md5 = Fingerprint(of: record.publicKey, .md5).description
        let art = Randomart.lines(of: record.publicKey)
        var sheet = try KeyCells.sheet(key, context)
        sheet.add("MD5", md5)
        for certificate in record.certificates {
            addCertificate(certificate, to: &sheet, context)
        }
        try context.output.facts(sheet)
        try context.output.line(String(decoding: record.publicKey.line, as: UTF8.self).filter { $0 != "\n" })
        if context.surroundings.outputIsTerminal {
            for line in art { try context.output.line(line) }
            for certificate in record.certificates { try tellAll(of: certificate, context) }
        }
        CertificateTime.warn([key], context)
        let more: [(String, JSONValue)] = [
            ("md5", .text(md5)), ("randomart", .list(art.map { .text($0) })),
            ("hadPassphrase", .bool(record.hadPassphrase)),
            (
                "certificateKeys", .list(record.certificates.map { Self.json($0) })
            ),
        ]
        let members = try JSONValue.sshKeyMembers(key, context)
        try context.output.succeed(.object(members + more.map { JSONMember($0.0, $0.1) }))
    }

    /// Whom a certificate is for, and until when.
    private func addCertificate(_ key: PublicKey, to sheet: inout FactSheet, _ context: Context) {
        guard let certificate = try? Certificate(key) else {
            sheet.add("Certificate", Cell(key.algorithm.shortName, value: key.algorithm.name))
            return
        }
        let display = context.output.display
        let isOver = certificate.validBefore <= UInt64(max(0, context.now))
        let end = CertificateTime.calendar(certificate.validBefore)
        let until = end.map { "until \(Times.exact($0))" } ?? "without an end"
        sheet.add(
            "Certificate",
            Cell(peer: String(decoding: certificate.keyID, as: UTF8.self), display),
            Cell(peer: Self.names(certificate).joined(separator: " "), display),
            Cell(until, value: end.map { Times.rfc3339($0) } ?? "", tone: isOver ? .danger : .plain)
        )
    }

    /// What `ssh-keygen -L` says of a certificate.
    private func tellAll(of key: PublicKey, _ context: Context) throws {
        guard let certificate = try? Certificate(key) else { return }
        let lines = certificate.lines { CertificateTime.calendar($0).map { Times.exact($0) } ?? "\($0)" }
        for line in lines {
            // A name in it may hold a line break.
            try context.output.line(
                context.output.display.cell(String(decoding: line, as: UTF8.self), columns: 4_096)
            )
        }
    }

    private static func names(_ certificate: Certificate) -> [String] {
        certificate.principals.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func json(_ key: PublicKey) -> JSONValue {
        let certificate = try? Certificate(key)
        return [
            "type": .text(key.algorithm.name), "publicKeyBase64": .base64(key.blob),
            "keyId": .optional(certificate.map { String(decoding: $0.keyID, as: UTF8.self) }),
            "serial": .optional(certificate.map { String($0.serial) }),
            "authority": .optional(certificate.map(\.authority.fingerprint.description)),
            "criticalOptions": .list((certificate?.criticalOptions ?? []).map { .text($0.name) }),
            "extensions": .list((certificate?.extensions ?? []).map { .text($0.name) }),
            "principals": .list((certificate.map(names) ?? []).map { .text($0) }),
            "validAfterAt": .time(certificate.flatMap { CertificateTime.calendar($0.validAfter) }),
            "validBeforeAt": .time(certificate.flatMap { CertificateTime.calendar($0.validBefore) }),
        ]
    }
}
