internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// The result of importing a known_hosts file.
struct KnownHostsReport {
    let outcome: KnownHostsImport
    /// The lines that were not imported because the vault has another key.
    let left: [KnownHostsImport.Conflict]
    let isTrial: Bool

    /// The most lines that an error names; scripts get all.
    private static let maximum = 20

    /// The counts.
    var sheet: FactSheet {
        var sheet = FactSheet()
        sheet.add(isTrial ? "Would add" : "Added", "\(outcome.added)")
        sheet.add("Known", "\(outcome.known)")
        if outcome.revocations > 0 { sheet.add("Revoked", "\(outcome.revocations)") }
        if outcome.authorities > 0 { sheet.add("Authorities", "\(outcome.authorities)") }
        if outcome.comments > 0 { sheet.add("Comments", "\(outcome.comments)") }
        if !outcome.unknown.isEmpty { sheet.add("Not understood", "\(outcome.unknown.count)") }
        if !left.isEmpty { sheet.add("Conflicts", Cell("\(left.count)", tone: .danger)) }
        return sheet
    }

    /// The data of `ssh host import`.
    var json: JSONValue {
        let conflicts = left.map { conflict -> JSONValue in
            [
                "line": .integer(conflict.line), "lookupName": .text(conflict.name),
                "fingerprint": .text(conflict.offered.fingerprint.description),
                "trusted": .texts(conflict.trusted.map(\.fingerprint.description)),
                "additional": .bool(conflict.isAdditional),
            ]
        }
        return [
            "added": .integer(outcome.added), "revocations": .integer(outcome.revocations),
            "authorities": .integer(outcome.authorities), "known": .integer(outcome.known),
            "comments": .integer(outcome.comments), "trial": .bool(isTrial),
            "unknownLines": .list(outcome.unknown.map { .integer($0) }), "conflicts": .list(conflicts),
        ]
    }

    /// The error that names the lines that were not imported; nil if all were imported.
    func failure(_ context: Context) -> Failure? {
        guard let first = left.first else { return nil }
        let count = left.count == 1 ? "1 line has another key" : "\(left.count) lines have another key"
        let rest = isTrial ? "would be" : "was"
        let word = ShellWord.quoted(Self.word(first))
        return Failure(
            .importConflicts,
            "\(count) than the vault; the rest \(rest) imported",
            hint: left.allSatisfy(\.isAdditional)
                ? "--additional --expect SHA256:…  with the fingerprint you were given"
                : "hsip ssh host replace-key \(word)  with the fingerprint you were given",
            details: json,
            lines: Self.lines(left, context)
        )
    }

    /// Conflicts for people: what the line says, and what is trusted.
    static func lines(_ conflicts: [KnownHostsImport.Conflict], _ context: Context) -> [String] {
        let lines = conflicts.prefix(maximum).map { conflict in
            let trusted = conflict.trusted.map { HostKeyCells.words($0) }.joined(separator: ", ")
            return "line \(conflict.line), \(context.output.display.cell(conflict.name)): "
                + "\(HostKeyCells.words(conflict.offered)), trusted \(trusted)"
        }
        return lines + (conflicts.count > maximum ? ["and \(conflicts.count - maximum) more"] : [])
    }

    /// The warning about a line that covers hosts without naming each of them.
    static func warning(of host: KnownHost, line: Int, _ context: Context) -> Warning {
        let names = String(decoding: host.names.text, as: UTF8.self)
        let what = host.marker == .authority ? "lets this authority name" : "is the key of"
        let whose = host.names.isHashed ? "a hashed name" : context.output.display.cell(names)
        return Warning(
            "knownHostForMany",
            "line \(line) \(what) every host in \(whose): \(HostKeyCells.words(host.key))",
            hint: "hsip ssh host list --keys",
            fields: [
                "line": .integer(line), "names": .text(names),
                "fingerprint": .text(host.key.fingerprint.description),
            ]
        )
    }

    private static func word(_ conflict: KnownHostsImport.Conflict) -> String {
        (try? HostName(lookup: conflict.name)).map { HostWord.text($0) } ?? conflict.name
    }
}
