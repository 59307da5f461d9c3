internal import RecordStore
internal import VaultCrypto

/// A record as an item of format 1 holds it.
struct Format1Item: Sendable {
    let path: ItemPath
    let info: RecordInfo
    let body: Secret
}

/// What became of the reading of an item of format 1.
enum Format1Reading: Sendable {
    case record(Format1Item)
    /// Never finished: no record.
    case unfinished
    /// Another program's.
    case foreign
    /// Ours, and not to be read.
    case damaged(RecordID?, isNewer: Bool)
}

extension Format1Reading {
    private static let form = "form"
    private static let meta = "hsip:meta"
    private static let empty = "hsip:empty"

    /// Reads an item by what it says and by its secret.
    ///
    /// Without a form it is another program's, unless its secret has the form of ours.
    init(_ facts: ItemFacts, _ secret: RawSpan, floor: UInt64) throws(StoreError) {
        let attributes = facts.attributes
        do throws(StoreError) {
            switch (attributes[Self.form], attributes[Self.meta]) {
            case ("record", _), (nil, nil):
                guard secret.byteCount > 0 else {
                    self = .unfinished
                    return
                }
                guard let parts = try RecordText.decode(secret, floor: floor, withBody: true) else { break }
                guard let body = parts.body else { throw StoreError.newerRecord }
                guard Self.agrees(facts, parts.info.id) else { break }
                self = .record(Format1Item(path: facts.path, info: parts.info, body: body))
                return
            case ("plain", let meta?):
                guard secret.byteCount > 0 || attributes[Self.empty] == "1" else {
                    self = .unfinished
                    return
                }
                let info = try Array(meta.utf8).withBytes { text throws(StoreError) in
                    try RecordText.meta(text, floor: floor)
                }
                guard let info, secret.byteCount <= RecordLimits.body, Self.agrees(facts, info.id) else {
                    break
                }
                guard !info.isNewer else { throw StoreError.newerRecord }
                self = .record(Format1Item(path: facts.path, info: info, body: try Secret(lent: secret)))
                return
            case ("plain", nil) where secret.byteCount == 0:
                self = .unfinished
                return
            default: break
            }
        } catch {
            guard error == .newerRecord else { throw error }
            self = .damaged(Self.id(attributes), isNewer: true)
            return
        }
        self = attributes[Self.form] == nil ? .foreign : .damaged(Self.id(attributes), isNewer: false)
    }

    /// Whether an item is labelled with the record that it holds, byte for byte.
    private static func agrees(_ facts: ItemFacts, _ id: RecordID) -> Bool {
        [(ItemNames.kind, id.kind.rawValue), (ItemNames.name, id.name)].allSatisfy { name, value in
            facts.attributes[name].map { $0.utf8.elementsEqual(value.utf8) } ?? false
        }
    }

    private static func id(_ attributes: [String: String]) -> RecordID? {
        guard let kind = attributes[ItemNames.kind], let name = attributes[ItemNames.name] else { return nil }
        return try? RecordID(kind, name)
    }
}
