internal import AgentProtocol
internal import Secrets
internal import MessageBus
internal import VaultKit

/// The collection `session` on the bus: open also while the vault is locked, and served without the agent.
extension Front {
    func sessionCollection(_ call: BusMessage, _ member: String, _ client: Client) throws {
        switch member {
        case "SearchItems":
            try want(call, "a{ss}")
            let found = try Self.wanted(call).map { try sessionItems($0, of: client) } ?? []
            bus.answer(call) { $0.put(paths: found) }
        case "CreateItem":
            let outcome = try session.make(making(call, SessionCollection.id, client), by: maker(client))
            tell(outcome.isNew ? "ItemCreated" : "ItemChanged", outcome.place, to: client)
            bus.answer(call) { reply in
                reply.put(Self.path(outcome.place), "o")
                reply.put(ObjectPath.none, "o")
            }
        case "Delete": throw CallFailure.notSupported
        default: throw unknown(member)
        }
    }

    func sessionItem(_ call: BusMessage, _ member: String, _ id: String, _ client: Client) throws {
        switch member {
        case "GetSecret":
            try want(call, "o")
            let path = call.text("o")
            let way = try session(path, of: client)
            guard let item = session.item(id, of: try maker(client)), let path else {
                throw CallFailure.noSuchObject
            }
            bus.answer(call) { reply in
                reply.markSensitive()
                do {
                    try put(item.value, item.contentType, path, way, into: reply)
                } catch {
                    reply.breakOff()
                }
            }
        case "SetSecret":
            try want(call, "(oayays)")
            var change = ItemChange()
            (change.value, change.contentType) = try value(call, of: client)
            try setSessionItem(id, change, call, client)
        case "Delete":
            try want(call, "")
            guard session.remove(id, of: try maker(client)) else { throw CallFailure.noSuchObject }
            tell("ItemDeleted", ItemPlace(collection: SessionCollection.id, id: id), to: client)
            bus.answer(call) { $0.put(ObjectPath.none, "o") }
        default: throw unknown(member)
        }
    }

    /// Changes an item, and answers with nothing.
    func setSessionItem(_ id: String, _ change: ItemChange, _ call: BusMessage, _ client: Client) throws {
        guard try session.change(id, change, by: maker(client)) else { throw CallFailure.noSuchObject }
        let place = ItemPlace(collection: SessionCollection.id, id: id)
        tell("ItemChanged", place, to: client)
        if let item = sessionItem(place, of: client) {
            tell(change, PropertyValue.all(of: item), of: place, to: client)
        }
        bus.answer(call)
    }

    /// The paths of a client's items with these attributes.
    func sessionItems(_ attributes: ItemAttributes, of client: Client) throws -> [String] {
        try session.found(attributes, by: maker(client)).map { Self.path($0.place) }
    }

    /// The item of a client in this collection; nil for what lies elsewhere, and for what is not its own.
    func sessionItem(_ place: ItemPlace, of client: Client) -> SessionCollection.Item? {
        guard place.collection == SessionCollection.id, let maker = try? maker(client) else { return nil }
        return session.item(place.id, of: maker)
    }

    /// The properties of the collection, as this client sees it.
    func sessionProperties(_ client: Client) throws -> [String: PropertyValue] {
        let items = session.found(.none, by: try maker(client))
        return [
            "Items": .paths(items.map { Self.path($0.place) }), "Label": .text(SessionCollection.label),
            "Locked": .bool(false), "Created": .seconds(0), "Modified": .seconds(items.first?.modified ?? 0),
        ]
    }

    private func maker(_ client: Client) throws -> ProcessID {
        guard case .known(let behalf) = client.status else { throw CallFailure.denied }
        return behalf.process
    }

    /// Tells the client alone: no other one sees the item.
    private func tell(_ member: String, _ place: ItemPlace, to client: Client) {
        let path = ObjectPath.collection(place.collection).text
        let signal = BusMessage(signalOf: bus, path, Interface.collection, member, to: client.name)
        guard let signal else { return }
        signal.put(Self.path(place), "o")
        bus.send(signal)
        if member != "ItemChanged" { tellLists(of: place.collection) }
    }
}
