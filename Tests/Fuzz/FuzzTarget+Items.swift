import RecordStore
import Secrets
import VaultCrypto

extension FuzzTarget {
    /// A byte of length and the id, how many attributes there are, for each a byte of length and the name, two of length
    /// and the value; the rest is the content.
    static func itemRecord(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        guard let id = String(validating: field(&rest, 1), as: UTF8.self) else { return nil }
        var pairs: [(String, [UInt8])] = []
        for _ in 0..<(rest.popFirst() ?? 0) {
            guard let name = String(validating: field(&rest, 1), as: UTF8.self) else { return nil }
            pairs.append((name, field(&rest, 2)))
        }
        if let content = try? Secret(copying: Array(rest)), let item = try? ItemContent(content: content) {
            guard let again = try? item.content(), again.withBytes({ $0.copied() }) == Array(rest) else {
                return "another content comes back"
            }
        }
        guard let id = try? RecordID(ItemRecord.kind, id), let attributes = try? Attributes(bytes: pairs)
        else {
            return nil
        }
        let info = RecordInfo(
            id: id,
            revision: 1,
            uid: [],
            created: 0,
            modified: 0,
            expires: 0,
            label: "",
            attributes: attributes,
            predatesRestore: false
        )
        guard let record = try? ItemRecord(info) else { return nil }
        guard (try? record.recordAttributes()) == attributes else { return "other attributes come back" }
        let found = ItemIndex([record]).search(record.attributes, in: record.collection)
        return found.isEmpty == (record.removedAt == nil) ? "it is found where it is not" : nil
    }

    /// As many bytes as a length before them says, or those that are left.
    private static func field(_ rest: inout ArraySlice<UInt8>, _ width: Int) -> [UInt8] {
        var count = 0
        for _ in 0..<width { count = count << 8 | Int(rest.popFirst() ?? 0) }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
