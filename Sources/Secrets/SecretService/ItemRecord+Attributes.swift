package import RecordStore
internal import VaultPolicy

extension ItemRecord {
    /// The sign before the name of an attribute that a program set.
    private static let sign: UInt8 = 0x40
    private static let lineFeed: UInt8 = 0x0A
    /// The prefix of the names of parts, for attributes that exceed the limits of a record.
    private static let part = "part-"

    /// Reads a record without opening it.
    ///
    /// - Throws: `ServiceError.badItem` for anything that `recordAttributes` cannot write.
    package init(_ info: RecordInfo) throws(ServiceError) {
        guard info.id.kind.rawValue == Self.kind, Self.isID(info.id.name) else { throw .badItem }
        var own: [String: String] = [:]
        var pairs: [ItemAttributes.Pair] = []
        var parts: [[UInt8]] = []
        for (name, value) in info.attributes.all {
            if name.hasPrefix(Self.part) {
                guard name == Self.partName(parts.count) else { throw .badItem }
                parts.append(value)
            } else if name.utf8.first == Self.sign {
                pairs.append(.init(name: Array(name.utf8.dropFirst()), value: value))
            } else {
                own[name] = String(validating: value, as: UTF8.self)
                guard own[name] != nil else { throw .badItem }
            }
        }
        id = info.id.name
        let long = try Self.taken("label", from: &own) { text in
            info.label.isEmpty && (RecordLimits.label + 1...Self.longestLabel).contains(text.utf8.count)
        }
        label = long ?? info.label
        collection = try Self.taken("collection", from: &own, CollectionRecord.isID) ?? ""
        guard !collection.isEmpty else { throw .badItem }
        owner = try Self.identity("owner", from: &own)
        writer = try Self.identity("writer", from: &own)
        contentType = try Self.taken("content-type", from: &own, Self.isContentType)
        let removed = try Self.taken("removed", from: &own) { text in
            UInt64(text).map { $0 > 0 && $0 <= Self.latestTime && String($0) == text } ?? false
        }
        removedAt = removed.flatMap { UInt64($0) }
        bytes = try Self.taken("bytes", from: &own) { text in
            Int(text).map { Self.sizes.contains($0) && String($0) == text } ?? false
        }.flatMap { Int($0) }
        readers = try Self.readers(from: &own)
        changed = try Self.taken("changed", from: &own) { text in
            UInt64(text).map { $0 <= Self.latestTime * 1_000 && String($0) == text } ?? false
        }.flatMap { UInt64($0) }
        guard own.isEmpty, parts.isEmpty || pairs.isEmpty else { throw .badItem }
        do throws(ServiceError) {
            attributes = try parts.isEmpty ? ItemAttributes(pairs) : ItemAttributes(parts: parts)
        } catch {
            throw .badItem
        }
        // Each set of attributes has exactly one form.
        guard parts.isEmpty == (attributes.parts == nil) else { throw .badItem }
        (revision, created, modified, expires) = (info.revision, info.created, info.modified, info.expires)
    }

    /// The attributes of the record, which are stored beside the value.
    ///
    /// - Throws: `ServiceError.badItem` for invalid parts.
    package func recordAttributes() throws(ServiceError) -> Attributes {
        guard Self.isID(id), CollectionRecord.isID(collection), label.utf8.count <= Self.longestLabel,
            readers.count <= Self.maximumReaders, Set(readers).count == readers.count,
            contentType.map(Self.isContentType) ?? true,
            removedAt.map({ (1...Self.latestTime).contains($0) }) ?? true,
            bytes.map(Self.sizes.contains) ?? true,
            changed.map({ $0 <= Self.latestTime * 1_000 }) ?? true,
            recordLabel == label || attributes.size + label.utf8.count <= ItemAttributes.longest
        else { throw .badItem }
        var pairs = [(name: "collection", value: Array(collection.utf8))]
        if let owner { pairs.append(("owner", Array(owner.text.utf8))) }
        if let writer { pairs.append(("writer", Array(writer.text.utf8))) }
        if !readers.isEmpty {
            let lines = readers.map { Array($0.text.utf8) }
            pairs.append(("readers", Array(lines.joined(separator: [Self.lineFeed]))))
        }
        if let contentType { pairs.append(("content-type", Array(contentType.utf8))) }
        if let removedAt { pairs.append(("removed", Array(String(removedAt).utf8))) }
        if let bytes { pairs.append(("bytes", Array(String(bytes).utf8))) }
        if let changed { pairs.append(("changed", Array(String(changed).utf8))) }
        if recordLabel != label { pairs.append(("label", Array(label.utf8))) }
        if let parts = attributes.parts {
            for (number, part) in parts.enumerated() { pairs.append((Self.partName(number), part)) }
        } else {
            for pair in attributes.pairs {
                pairs.append((String(decoding: [Self.sign] + pair.name, as: UTF8.self), pair.value))
            }
        }
        do throws(StoreError) { return try Attributes(bytes: pairs) } catch { throw .badItem }
    }

    /// The name of a part of the attributes; there are at most 15 parts.
    private static func partName(_ number: Int) -> String { part + (number < 10 ? "0" : "") + String(number) }

    /// Whether an id is valid: 1 to 64 ASCII letters, digits and underscores.
    package static func isID(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == 0x5F
            }
    }

    /// Whether a content type is valid: 1 to 128 bytes without control characters.
    ///
    /// The default `text/plain` is never stored, so it is not valid here.
    package static func isContentType(_ type: String) -> Bool {
        (1...longestContentType).contains(type.utf8.count) && type != "text/plain"
            && type.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The last second of the year 9999, the latest valid time.
    private static let latestTime: UInt64 = 253_402_300_799

    /// The valid values of the attribute `bytes`; a smaller body is not recorded and counts as `leastBytes`.
    private static let sizes = leastBytes + 1...RecordLimits.body

    private static func taken(
        _ name: String,
        from own: inout [String: String],
        _ isGood: (String) -> Bool
    ) throws(ServiceError) -> String? {
        guard let text = own.removeValue(forKey: name) else { return nil }
        guard isGood(text) else { throw .badItem }
        return text
    }

    private static func identity(
        _ name: String,
        from own: inout [String: String]
    ) throws(ServiceError) -> ProgramIdentity? {
        try taken(name, from: &own) { ProgramIdentity($0) != nil }.flatMap { ProgramIdentity($0) }
    }

    private static func readers(from own: inout [String: String]) throws(ServiceError) -> [ProgramIdentity] {
        guard let text = own.removeValue(forKey: "readers") else { return [] }
        let lines = text.utf8.split(separator: lineFeed, omittingEmptySubsequences: false)
        guard lines.count <= maximumReaders else { throw .badItem }
        let readers = lines.compactMap { ProgramIdentity(String(decoding: $0, as: UTF8.self)) }
        guard readers.count == lines.count, Set(readers).count == readers.count else { throw .badItem }
        return readers
    }
}
