internal import Text

/// The name of a backup in a folder of backups: `vault-20261122T180400Z-1.126.hsipbackup`.
///
/// A name only orders the search and proves nothing; the head of the file does.
package struct BackupName: Equatable, Sendable {
    private static let ending = ".hsipbackup"
    /// Bytes of the vault's part: with the rest it stays below the 255 of every file system.
    private static let longestLabel = 120

    /// Which vault, for a person.
    package let label: String
    /// When it was made, Unix seconds.
    package let time: Int64
    /// The key epoch of the copy.
    package let epoch: UInt32
    /// The newest commit in it; 0 where no key was at hand to read it.
    package let generation: UInt64

    package init(label: String, time: Int64, epoch: UInt32, generation: UInt64) {
        self.label = label
        self.time = time
        self.epoch = epoch
        self.generation = generation
    }

    /// Reads a name; nil for anything that this program would spell in another way.
    package init?(_ text: String) {
        guard text.hasSuffix(Self.ending) else { return nil }
        let parts = text.dropLast(Self.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let place = parts.last?.split(separator: "."), place.count == 2,
            let epoch = UInt32(place[0]), let generation = UInt64(place[1]), epoch > 0,
            let time = Self.time(parts[parts.count - 2])
        else { return nil }
        let label = parts.dropLast(2).joined(separator: "-")
        self.init(label: label, time: time, epoch: epoch, generation: generation)
        guard !label.isEmpty, self.text == text else { return nil }
    }

    /// The name of the file.
    package var text: String {
        "\(label)-\(Times.rfc3339(time).filter { !"-:".contains($0) })-\(epoch).\(generation)\(Self.ending)"
    }

    /// Year and month of its making: `202611`.
    var month: String { String(Times.rfc3339(time).filter { $0 != "-" }.prefix(6)) }

    /// The part of a vault's name or path that goes into the names of its backups.
    package static func label(of vault: String) -> String {
        let name = vault.split(separator: "/").last.map(String.init) ?? vault
        let stem = name.hasSuffix(".hsipvault") ? String(name.dropLast(".hsipvault".count)) : name
        let plain = stem.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" ? "_" : String(scalar)
        }
        var label = ""
        for character in plain where label.utf8.count + character.utf8.count <= longestLabel {
            label += character
        }
        return label.isEmpty || label.hasPrefix(".") ? "vault\(label)" : label
    }

    /// `20261122T180400Z`; nil for anything else.
    private static func time(_ text: Substring) -> Int64? {
        let digits = Array(text)
        guard digits.count == 16 else { return nil }
        let date = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        let hour = "\(String(digits[8..<11])):\(String(digits[11..<13])):\(String(digits[13..<16]))"
        return Times.parse(date + hour)
    }
}
