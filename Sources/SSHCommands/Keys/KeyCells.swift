internal import CommandKit
internal import Console
internal import SSHFormats
internal import SafeText
internal import VaultKit
internal import VaultLifecycle

/// The words for keys in tables and sheets.
enum KeyCells {
    /// `active`, `retired`, `kept aside`, `removed`.
    static func state(_ key: KeySummary) -> Cell {
        if key.removedAt != nil { return Cell("removed", tone: .past) }
        return switch key.state {
        case .active: Cell("active")
        case .retired: Cell("retired", tone: .past)
        case .aside: Cell("kept aside", value: "aside", tone: .soon)
        }
    }

    /// `ED25519`, `RSA 3072`.
    static func type(_ key: KeySummary) -> Cell {
        let name = key.algorithm.shortName == "UNKNOWN" ? key.algorithm.name : key.algorithm.shortName
        let hasBits = key.algorithm == .rsa || key.algorithm.shortName == "ECDSA"
        let shown = hasBits ? key.bits.map { "\(name) \($0)" } ?? name : name
        return Cell(shown, value: key.algorithm.name)
    }

    /// The comment, which came with the key and may hold anything.
    static func comment(_ key: KeySummary, _ display: Display) -> Cell {
        Cell(peer: String(decoding: key.comment, as: UTF8.self), display)
    }

    /// `asks first, 1 hour, only for db1, signs git`; empty without any.
    static func use(_ use: KeyUse) -> String {
        var words: [String] = []
        if use.needsConfirmation { words.append("asks first") }
        if use.lifetime > 0 { words.append(Durations.rough(Int64(use.lifetime))) }
        if !use.hosts.isEmpty { words.append("only for " + use.hosts.joined(separator: " ")) }
        if !use.namespaces.isEmpty { words.append("signs " + use.namespaces.joined(separator: " ")) }
        return words.joined(separator: ", ")
    }

    /// The lines of a key.
    static func sheet(_ key: KeySummary, _ context: Context) throws -> FactSheet {
        var sheet = FactSheet()
        sheet.add("Key", key.name)
        sheet.add("Type", type(key))
        sheet.add("Fingerprint", key.fingerprint)
        if !key.comment.isEmpty { sheet.add("Comment", comment(key, context.output.display)) }
        sheet.add("State", state(key))
        let use = use(key.use)
        if !use.isEmpty { sheet.add("Use", use) }
        sheet.add("In vault", Cell(exactly: key.created))
        if let retired = key.retiredAt { sheet.add("Retired", Cell(exactly: retired)) }
        if let removed = key.removedAt { sheet.add("Removed", Cell(exactly: removed)) }
        if key.removedAt == nil {
            sheet.add("Public", context.path(PublicKeyFiles(try context.place()).path(of: key.name)))
        }
        return sheet
    }
}
