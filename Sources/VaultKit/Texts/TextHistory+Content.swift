internal import SSHFormats
internal import VaultCrypto

/// The bytes of the record `text.history` (Schemas/text.md section "The history").
extension TextHistory {
    private static let version: UInt8 = 1

    /// The content.
    func content() throws(TextHistoryError) -> Secret {
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

    /// Reads what `content` wrote.
    ///
    /// - Throws: `unsupportedVersion`; `malformed` for anything that `content` does not write.
    init(content: Secret) throws(TextHistoryError) {
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
                // Numbers ascend, and the next one is above all of them.
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
