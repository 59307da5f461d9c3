internal import SSHFormats
package import VaultCrypto

/// The texts that were encrypted and decrypted with a typed key, if a person switched the history on.
public struct TextHistory: Sendable, Hashable, Codable {
    /// An entry with its number and time.
    public struct Item: Sendable, Hashable, Codable {
        /// The number of the entry, by which it can be removed; no number is used twice.
        public let number: UInt64
        /// Time of the entry, Unix seconds.
        public let time: UInt64
        /// The entry itself.
        public let entry: TextEntry
    }

    /// The most entries that are kept; further ones replace the oldest.
    public static let maximum = 100

    /// Whether new entries are written.
    ///
    /// Existing entries stay when the history is switched off.
    public package(set) var isOn = false
    /// The number of the next entry, from 1.
    var next: UInt64 = 1
    /// The entries, the newest last.
    public package(set) var items: [Item] = []

    /// Makes an empty history that is switched off.
    package init() {}

    /// Adds an entry; removes the oldest above `maximum`.
    ///
    /// - Throws: `malformed` if no number is left.
    package mutating func add(_ entry: TextEntry, at second: UInt64) throws(TextHistoryError) {
        let (following, isOver) = next.addingReportingOverflow(1)
        guard !isOver else { throw .malformed }
        items.append(Item(number: next, time: second, entry: entry))
        next = following
        if items.count > Self.maximum { items.removeFirst(items.count - Self.maximum) }
    }
}

/// The state of the history, without its texts.
public struct TextHistoryState: Sendable, Hashable, Codable {
    /// Whether new entries are written.
    public let isOn: Bool
    /// The number of entries.
    public let count: Int

    /// Makes the state of a history.
    package init(_ history: TextHistory) {
        isOn = history.isOn
        count = history.items.count
    }
}

/// The bytes of the record `text.history` (Schemas/text.md section "The history").
extension TextHistory {
    private static let version: UInt8 = 1

    /// The bytes of the record.
    package func content() throws(TextHistoryError) -> Secret {
        var writer = WireWriter()
        writer.byte(Self.version)
        writer.byte(isOn ? 1 : 0)
        writer.uint64(next)
        writer.uint32(UInt32(items.count))
        for item in items {
            writer.uint64(item.number)
            writer.uint64(item.time)
            writer.byte(item.entry.action.rawValue)
            writer.byte(item.entry.algorithm.rawValue)
            writer.uint32(UInt32(item.entry.length))
            writer.string(item.entry.base64)
        }
        do throws(CryptoError) {
            return try Secret(copying: writer.bytes)
        } catch {
            throw .outOfMemory
        }
    }

    /// Reads the output of `content`.
    ///
    /// - Throws: `unsupportedVersion`; `malformed` for anything that `content` cannot write.
    package init(content: Secret) throws(TextHistoryError) {
        var reader = WireReader(content.withBytes { $0.copied() })
        do {
            let version = try reader.byte()
            guard version == Self.version else { throw TextHistoryError.unsupportedVersion(version) }
            let (state, next) = (try reader.byte(), try reader.uint64())
            let count = try reader.uint32()
            guard state < 2, count <= Self.maximum else { throw TextHistoryError.malformed }
            var items: [Item] = []
            for _ in 0..<count {
                let item = try Self.item(from: &reader)
                // Numbers ascend, and the next number is above all of them.
                guard item.number > items.last?.number ?? 0, item.number < next else {
                    throw TextHistoryError.malformed
                }
                items.append(item)
            }
            guard reader.isAtEnd, next > 0 else { throw TextHistoryError.malformed }
            self.init()
            (isOn, self.next, self.items) = (state == 1, next, items)
        } catch let error as TextHistoryError {
            if case .unsupportedVersion = error { throw error }
            throw .malformed
        } catch {
            throw .malformed
        }
    }

    private static func item(from reader: inout WireReader) throws -> Item {
        let (number, time) = (try reader.uint64(), try reader.uint64())
        guard let action = TextEntry.Action(rawValue: try reader.byte()),
            let algorithm = TextEntry.Algorithm(rawValue: try reader.byte())
        else { throw TextHistoryError.malformed }
        let length = Int(try reader.uint32())
        let kept = String(validating: try reader.string(limit: TextEntry.longestKept), as: UTF8.self)
        guard let kept else { throw TextHistoryError.malformed }
        return Item(
            number: number,
            time: time,
            entry: try TextEntry(action, algorithm, kept: kept, of: length)
        )
    }
}

/// The errors about the history of texts.
public enum TextHistoryError: Error, Equatable, Sendable, Codable {
    /// No entry has this number.
    case unknownEntry
    /// The text is not an encrypted text.
    case badEntry
    /// The content is invalid.
    case malformed
    /// A newer program wrote the content.
    case unsupportedVersion(UInt8)
    /// No locked memory was available.
    case outOfMemory
}
