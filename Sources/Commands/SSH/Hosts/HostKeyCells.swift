internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// The words for host keys in tables, sheets and sentences.
enum HostKeyCells {
    /// The type of the key; for a certificate, the type of the key in it.
    static func type(_ key: PublicKey) -> Cell {
        Cell(KeyCells.type(key.plain.algorithm, key.bits), value: key.algorithm.name)
    }

    /// The vault's verdict on a line, in one word.
    static func state(_ line: HostKeySummary) -> Cell {
        let state = line.shownState
        let tone: Tone =
            switch state {
            case .replaced, .removed: .past
            case .undecided: .soon
            case .revoked: .danger
            case .authority: .plain
            case .trusted: .good
            }
        guard !line.isUncompared else {
            return Cell("not compared since the restore", value: "notComparedSinceRestore", tone: .soon)
        }
        return Cell(state.rawValue, tone: tone)
    }

    /// How the line's key came to be trusted.
    static func source(_ line: HostKeySummary) -> Cell {
        switch line.source {
        case .firstUse: Cell("at first use", value: line.source.word)
        case .compared: Cell("compared", value: line.source.word)
        case .imported: Cell("imported", value: line.source.word)
        case .authority: Cell("by an authority", value: line.source.word)
        case .sshfp: Cell("by SSHFP", value: line.source.word)
        }
    }

    /// The names of a line; hashed names cannot be read.
    static func names(_ line: HostKeySummary, _ display: Display) -> Cell {
        let text = String(decoding: line.host.names.text, as: UTF8.self)
        return line.host.names.isHashed ? Cell("(hashed)", value: text) : Cell(peer: text, display)
    }

    /// A time as a day: `today`, `yesterday`, `2 Mar 2026`; with a word before it for a sentence.
    static func day(_ seconds: UInt64?, _ now: Int64, after word: String = "") -> Cell {
        guard let seconds else { return Cell("") }
        let text = (word.isEmpty ? "" : word + " ") + dayText(seconds, now)
        return Cell(text, value: Times.rfc3339(Int64(seconds)))
    }

    /// `ED25519 SHA256:…`.
    static func words(_ key: PublicKey) -> String { "\(type(key).shown) \(key.fingerprint)" }

    /// `since 2 Mar 2026, compared, seen yesterday`.
    static func provenance(_ line: HostKeySummary, _ now: Int64) -> String {
        var words = "since \(dayText(line.firstSeen, now)), \(source(line).shown)"
        if line.isUncompared { words += ", not compared since a backup was restored" }
        if let seen = line.lastSeen { words += ", seen \(dayText(seen, now))" }
        if let end = line.endedAt { words += ", \(state(line).shown) \(dayText(end, now))" }
        return words
    }

    private static func dayText(_ seconds: UInt64, _ now: Int64) -> String {
        let moment = Times.moment(Int64(seconds), now: now)
        return moment.split(separator: " ").dropLast().joined(separator: " ")
    }
}

extension Context {
    /// Runs an operation on the keys of a host; its errors name the host.
    func explaining<R>(_ target: HostTarget, _ act: () async throws -> R) async throws -> R {
        do {
            return try await act()
        } catch VaultError.ssh(.unknownHostKey) {
            throw Failure(
                .unknownHostKey,
                "\(target.shown) has no such key in the vault",
                hint: "hsip ssh host show \(ShellWord.quoted(target.word))"
            )
        }
    }
}

extension JSONValue {
    /// A profile, as a command that changed it reports it.
    static func sshHost(_ host: HostSummary, _ vault: any VaultService) async throws -> JSONValue {
        .sshHost(host, try await vault(Operations.hostKeys, host.profile.lookupName))
    }

    /// The keys of a host after a change, and the keys that the change added.
    static func trust(_ target: HostTarget, _ lines: [HostKeySummary], added: [PublicKey]) -> JSONValue {
        [
            "host": .optional(target.profile?.name), "lookupName": .text(target.name.lookup),
            "hostKeys": .hostKeys(lines.withoutOverruledOfOneHost.filter(\.isCurrent)),
            "added": .texts(added.map(\.fingerprint.description)),
        ]
    }
}
