/// The items that an operation made, changed or removed, by their places.
package struct ItemNews: Equatable, Sendable, Codable {
    /// The most items that one value can name.
    package static let maximum = 1_000

    /// Items that exist now and did not exist before.
    package var made: [ItemPlace]
    /// Items whose value, label, attributes or readers changed.
    package var changed: [ItemPlace]
    /// Items that programs no longer see.
    package var removed: [ItemPlace]

    /// Lists the changes; nil for more than `maximum` items.
    package init?(made: [ItemPlace] = [], changed: [ItemPlace] = [], removed: [ItemPlace] = []) {
        guard made.count + changed.count + removed.count <= Self.maximum else { return nil }
        (self.made, self.changed, self.removed) = (made, changed, removed)
    }

    /// The changes of an answered call; nil if they are unknown.
    ///
    /// - Parameters:
    ///   - operation: the name of the operation; an operation that changes no item has no changes.
    ///   - answer: the answer to the call.
    package init?(of operation: String, _ answer: VaultAnswer) {
        do throws(VaultError) {
            switch operation {
            case Operations.makeItem.name:
                let outcome = try Operations.makeItem.output(of: answer)
                self.init(
                    made: outcome.isNew ? [outcome.place] : [],
                    changed: outcome.isNew ? [] : [outcome.place]
                )
            case Operations.setItem.name:
                self.init(changed: try Self.places(Operations.setItem.output(of: answer)))
            case Operations.setItemAccess.name:
                self.init(changed: try Self.places(Operations.setItemAccess.output(of: answer)))
            case Operations.restoreItem.name:
                self.init(made: try Self.places(Operations.restoreItem.output(of: answer)))
            case Operations.removeItem.name:
                self.init(removed: try Operations.removeItem.output(of: answer))
            case Operations.removeCollection.name:
                self.init(removed: try Operations.removeCollection.output(of: answer))
            case Operations.importItems.name:
                let outcomes = try Operations.importItems.output(of: answer)
                self.init(
                    made: outcomes.filter { $0.act == .added }.compactMap(\.place),
                    changed: outcomes.filter { $0.act == .versioned }.compactMap(\.place)
                )
            default: self.init()
            }
        } catch {
            return nil
        }
    }

    /// The places of the views; a full answer may be cut off, so one more place makes it exceed `maximum`.
    private static func places(_ views: [ItemView]) -> [ItemPlace] {
        let places = views.map(\.place)
        return places.count < ItemView.maximum ? places : places + places.prefix(1)
    }
}
