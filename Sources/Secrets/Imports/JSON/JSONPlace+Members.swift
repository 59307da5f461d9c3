internal import Text

/// Reads the parts of exports; names and texts are ranges of the document.
extension JSONPlace {
    /// The members of a list; empty for any other value.
    var items: [JSONPlace] {
        if case .list(let items) = self { items } else { [] }
    }

    /// The range of a text that is not empty; nil for any other value.
    var text: Range<Int>? {
        if case .text(let range) = self, !range.isEmpty { range } else { nil }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A member of an object by its name; null if the object does not have it.
    func member(_ name: StaticString, _ bytes: DocumentBytes) -> JSONPlace {
        guard case .object(let members) = self else { return .null }
        let size = name.utf8CodeUnitCount
        return members.first { $0.name.count == size && bytes.has(name, at: $0.name.lowerBound) }?.value
            ?? .null
    }

    /// The range of a number as it is written; nil for any other value.
    var number: Range<Int>? {
        if case .number(let range) = self { range } else { nil }
    }

    /// A time in whole seconds; nil for any other value.
    func time(_ bytes: DocumentBytes) -> Int64? {
        guard let range = number, range.count <= 12, let seconds = bytes.text(range).flatMap({ Int64($0) }),
            seconds > 0
        else { return nil }
        return seconds
    }

    /// A small number that is not negative; nil for any other value.
    func count(_ bytes: DocumentBytes) -> Int? {
        guard case .number(let range) = self, (1...9).contains(range.count) else { return nil }
        return bytes.text(range).flatMap { Int($0) }
    }
}
