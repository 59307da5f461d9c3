internal import Presentation
internal import SSHFormats
internal import Text
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

    static func type(_ key: KeySummary) -> Cell {
        Cell(type(key.algorithm, key.bits), value: key.algorithm.name)
    }

    /// `ED25519`, `RSA 3072`.
    static func type(_ algorithm: KeyAlgorithm, _ bits: Int?) -> String {
        let name = algorithm.shortName == "UNKNOWN" ? algorithm.name : algorithm.shortName
        let hasBits = algorithm == .rsa || algorithm.shortName == "ECDSA"
        return hasBits ? bits.map { "\(name) \($0)" } ?? name : name
    }

    /// The comment, which came with the key and may hold anything.
    static func comment(_ key: KeySummary, _ display: Display) -> Cell {
        Cell(peer: String(decoding: key.comment, as: UTF8.self), display)
    }

    /// The limits on a key's use, as in `asks first, 1 hour, only for db1, signs git`; empty if there are none.
    static func use(_ use: KeyUse) -> String {
        var words: [String] = []
        if use.isLocal { words.append("only here") }
        if use.needsConfirmation { words.append("asks first") }
        if use.lifetime > 0 { words.append(Durations.rough(Int64(use.lifetime))) }
        if !use.hosts.isEmpty { words.append("only for " + use.hosts.joined(separator: " ")) }
        if !use.namespaces.isEmpty { words.append("signs " + use.namespaces.joined(separator: " ")) }
        return words.joined(separator: ", ")
    }
}

extension JSONValue {
    /// A key as JSON, with the path of its public file for this vault.
    static func sshKey(_ key: KeySummary, _ context: Context) throws -> JSONValue {
        .sshKey(key, publishedIn: try context.place().publicKeyFolder)
    }
}

extension CertificateTime {
    /// Warns of keys in use whose certificate has expired, or will soon.
    static func warn(_ keys: [KeySummary], _ context: Context) {
        for (key, end) in due(keys, now: context.now) {
            let isOver = end <= context.now
            context.output.warn(
                Warning(
                    code(of: end, now: context.now),
                    "a certificate of \(key.name) \(isOver ? "ended" : "ends") "
                        + Times.relative(end, now: context.now),
                    hint: isOver
                        ? "hsip ssh key set \(ShellWord.quoted(key.name)) --drop-expired"
                        : "hsip ssh key import NEW-cert.pub",
                    fields: ["name": .text(key.name), "endsAt": .time(end)]
                )
            )
        }
    }
}
