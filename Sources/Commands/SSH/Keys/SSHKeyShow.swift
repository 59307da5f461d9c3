internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip ssh key show NAME`.
struct SSHKeyShow: Command {
    static let path = "ssh key show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a key's details, without its private half.",
        discussion: """
              hsip ssh key show work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    @Flag(help: "Show one from the trash.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let record = try await KeyNames(context, vault).publicHalf(name, inTrash: trash)
        try context.output.facts(try sheet(record, context))
        try context.output.line(String(decoding: record.publicKey.line, as: UTF8.self).filter { $0 != "\n" })
        if context.console.outputIsTerminal {
            for line in Randomart.lines(of: record.publicKey) { try context.output.line(line) }
            for certificate in record.certificates { try tellAll(of: certificate, context) }
        }
        CertificateTime.warn([record.summary], context)
        try context.output.succeed(
            .sshKeyDetails(record, publishedIn: try context.place().publicKeyFolder)
        )
    }

    private func sheet(_ record: PublicHalf, _ context: Context) throws -> FactSheet {
        let key = record.summary
        var sheet = FactSheet()
        sheet.add("Key", key.name)
        sheet.add("Type", KeyCells.type(key))
        sheet.add("Fingerprint", key.fingerprint)
        if !key.comment.isEmpty { sheet.add("Comment", KeyCells.comment(key, context.output.display)) }
        sheet.add("State", KeyCells.state(key))
        let use = KeyCells.use(key.use)
        if !use.isEmpty { sheet.add("Use", use) }
        sheet.add("In vault", Cell(exactly: key.created))
        if let retired = key.retiredAt { sheet.add("Retired", Cell(exactly: retired)) }
        if let removed = key.removedAt { sheet.add("Removed", Cell(exactly: removed)) }
        if key.removedAt == nil {
            sheet.add("Public", context.path(PublicKeyFiles(try context.place()).path(of: key.name)))
        }
        sheet.add("MD5", Fingerprint(of: record.publicKey, .md5).description)
        for certificate in record.certificates { addCertificate(certificate, to: &sheet, context) }
        return sheet
    }

    /// Adds the names that a certificate is valid for, and its expiry.
    private func addCertificate(_ key: PublicKey, to sheet: inout FactSheet, _ context: Context) {
        guard let certificate = try? Certificate(key) else {
            sheet.add("Certificate", Cell(key.algorithm.shortName, value: key.algorithm.name))
            return
        }
        let display = context.output.display
        let names = certificate.principals.map { String(decoding: $0, as: UTF8.self) }
        let isOver = certificate.validBefore <= UInt64(max(0, context.now))
        let end = CertificateTime.calendar(certificate.validBefore)
        let until = end.map { "until \(Times.exact($0))" } ?? "without an end"
        sheet.add(
            "Certificate",
            Cell(peer: String(decoding: certificate.keyID, as: UTF8.self), display),
            Cell(peer: names.joined(separator: " "), display),
            Cell(until, value: end.map { Times.rfc3339($0) } ?? "", tone: isOver ? .danger : .plain)
        )
    }

    /// Prints the details of a certificate, as `ssh-keygen -L` does.
    private func tellAll(of key: PublicKey, _ context: Context) throws {
        guard let certificate = try? Certificate(key) else { return }
        let lines = certificate.lines { CertificateTime.calendar($0).map { Times.exact($0) } ?? "\($0)" }
        for line in lines {
            // A name in the certificate may contain a line break.
            try context.output.line(
                context.output.display.cell(String(decoding: line, as: UTF8.self), columns: 4_096)
            )
        }
    }
}
