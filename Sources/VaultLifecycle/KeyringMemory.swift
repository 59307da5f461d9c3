internal import FileStore
package import RecordStore
internal import System
internal import VaultCrypto

/// When the second anchor was last written to the keyring, and how that went: one line in the folder of the
/// anchor, `HSIP-KEYRING-1 <Unix seconds> <ok, or the name of an error>`.
///
/// The line only saves time. Anyone who changes it can delay the second anchor, but could do so anyway by keeping
/// the keyring locked.
package struct KeyringMemory {
    private static let magic = "HSIP-KEYRING-1"
    /// Seconds from one writing to the next.
    private static let interval: Int64 = 60

    /// What the line says.
    package struct Entry: Equatable {
        package let at: Int64
        /// `ok`, or a name of errors.json.
        package let outcome: String

        package init(at: Int64, outcome: String) {
            self.at = at
            self.outcome = outcome
        }
    }

    package let path: String

    package init(_ place: VaultPlace, _ vaultID: [UInt8]) {
        path = "\(place.paths.anchorFolder)/keyring-\(Hex.encode(vaultID))"
    }

    /// The line; nil if there is no readable line.
    package func read() -> Entry? {
        Path.beginning(of: path).flatMap { Self.entry($0) }
    }

    /// Whether the anchor should be written again; a recorded time in the future is ignored.
    package func isDue(_ now: Int64) -> Bool {
        read().map { !(0..<Self.interval).contains(now - $0.at) } ?? true
    }

    /// Whether a call to the keyring timed out within the last minute.
    package func wasTooSlow(_ now: Int64) -> Bool {
        read().map { $0.outcome == "keyringTimeout" && (0..<Self.interval).contains(now - $0.at) } ?? false
    }

    /// Records the result of writing the anchor; a folder that cannot be written is not reported.
    package func write(_ failure: StoreError?, at now: Int64) {
        let outcome =
            switch failure {
            case nil: "ok"
            case .busy: "busy"
            case let failure?: BackendReason(failure).rawValue
            }
        let line = "\(Self.magic) \(now) \(outcome)\n"
        _ = try? OwnFile.writeKept(Array(line.utf8), to: path)
    }

    /// Parses a line.
    package static func entry(_ text: String) -> Entry? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == magic, let at = Int64(words[1]) else { return nil }
        return Entry(at: at, outcome: String(words[2]))
    }
}
