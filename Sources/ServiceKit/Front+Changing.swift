internal import MessageBus
internal import ServiceFormats
internal import VaultKit

/// Methods that change items and collections.
extension Front {
    func createItem(_ call: BusMessage, _ collection: String, _ client: Client) throws {
        try want(call, "a{sv}(oayays)b")
        let properties = try Properties(
            call,
            [
                Interface.item + ".Label": "s", Interface.item + ".Attributes": "a{ss}",
                Interface.item + ".Type": "s",
            ]
        )
        let (value, type) = try value(call, of: client)
        guard let replaces = call.bool() else { throw CallFailure.invalid }
        let making = ItemMaking(
            collection: collection,
            label: try properties.label(Interface.item),
            attributes: try Self.attributes(properties.attributes(Interface.item)),
            contentType: type,
            value: value,
            replaces: replaces
        )
        work(call, for: client) { vault in
            let glance = try await vault.openGlance()
            return (glance, try await vault.service.makeItem(making))
        } _: { [self] (glance: Glance, outcome: ItemOutcome) in
            saw(glance)
            let path = Self.path(outcome.place)
            tell(outcome.isNew ? "ItemCreated" : "ItemChanged", outcome.place)
            bus.answer(call) { reply in
                reply.put(path, "o")
                reply.put(ObjectPath.none, "o")
            }
        }
    }

    func setSecret(_ call: BusMessage, _ collection: String, _ id: String, _ client: Client) throws {
        try want(call, "(oayays)")
        var change = ItemChange()
        let (value, type) = try value(call, of: client)
        (change.value, change.contentType) = (value, type)
        set(change, call, ItemPlace(collection: collection, id: id), client)
    }

    /// Changes an item, and answers with nothing.
    func set(_ change: ItemChange, _ call: BusMessage, _ place: ItemPlace, _ client: Client) {
        work(call, for: client) { vault in
            _ = try await vault.openGlance()
            return try await vault.service.setItems([place.id], change)
        } _: { [self] views in
            guard views.contains(where: { $0.place == place }) else { throw CallFailure.noSuchObject }
            tell("ItemChanged", place)
            bus.answer(call)
        }
    }

    func deleteItem(_ call: BusMessage, _ collection: String, _ id: String, _ client: Client) throws {
        try want(call, "")
        work(call, for: client) { vault in
            _ = try await vault.openGlance()
            return try await vault.service.removeItems([id])
        } _: { [self] places in
            guard let place = places.first else { throw CallFailure.noSuchObject }
            tell("ItemDeleted", place)
            bus.answer(call) { $0.put(ObjectPath.none, "o") }
        }
    }

    func createCollection(_ call: BusMessage, _ client: Client) throws {
        try want(call, "a{sv}s")
        let properties = try Properties(call, [Interface.collection + ".Label": "s"])
        guard let alias = call.text() else { throw CallFailure.invalid }
        guard alias.isEmpty || alias == "default" else { throw CallFailure.notSupported }
        let label = try properties.label(Interface.collection)
        work(call, for: client) { vault in
            try await vault.opened()
            // An alias that leads somewhere keeps its collection, which is called as this program wants.
            let standing = alias.isEmpty ? nil : try await vault.glance().named(alias)
            let view = try await vault.service.setItemCollection(CollectionChange(id: standing, label: label))
            return (try await vault.glance(), view, standing == nil)
        } _: { [self] glance, view, isNew in
            saw(glance)
            let path = ObjectPath.collection(view.id).text
            tellService(isNew ? "CollectionCreated" : "CollectionChanged", path)
            bus.answer(call) { reply in
                reply.put(path, "o")
                reply.put(ObjectPath.none, "o")
            }
        }
    }

    func deleteCollection(_ call: BusMessage, _ id: String, _ client: Client) throws {
        try want(call, "")
        work(call, for: client) { vault in
            _ = try await vault.openGlance()
            try await vault.service.removeItemCollection(id)
            return try await vault.glance()
        } _: { [self] glance in
            saw(glance)
            tellService("CollectionDeleted", ObjectPath.collection(id).text)
            bus.answer(call) { $0.put(ObjectPath.none, "o") }
        }
    }

    func setAlias(_ call: BusMessage, _ client: Client) throws {
        try want(call, "so")
        guard let alias = call.text(), let path = call.text("o") else { throw CallFailure.invalid }
        guard alias == "default" else { throw CallFailure.notSupported }
        guard let id = ObjectPath(path).flatMap(collection) else { throw CallFailure.noSuchObject }
        work(call, for: client) { vault in
            let glance = try await vault.openGlance()
            guard glance.has(id) else { throw CallFailure.noSuchObject }
            if glance.named(alias) != id {
                _ = try await vault.service.setItemCollection(CollectionChange(id: id, becomesDefault: true))
            }
            return try await vault.glance()
        } _: { [self] glance in
            saw(glance)
            bus.answer(call)
        }
    }

    // MARK: Signals

    /// Tells everybody of an item; before the answer to the call that caused it.
    func tell(_ member: String, _ place: ItemPlace) {
        let path = ObjectPath.collection(place.collection).text
        guard let signal = BusMessage(signalOf: bus, path, Interface.collection, member) else { return }
        signal.put(Self.path(place), "o")
        bus.send(signal)
    }

    func tellService(_ member: String, _ path: String) {
        guard let signal = BusMessage(signalOf: bus, ObjectPath.root, Interface.service, member) else {
            return
        }
        signal.put(path, "o")
        bus.send(signal)
    }

    /// Tells everybody that a collection is locked, or no longer.
    func tellLocked(_ id: String) {
        let path = ObjectPath.collection(id).text
        guard let signal = BusMessage(signalOf: bus, path, Interface.properties, "PropertiesChanged") else {
            return
        }
        signal.put(Interface.collection)
        signal.container("a", "{sv}") {
            signal.container("e", "sv") {
                signal.put("Locked")
                signal.variant("b") { signal.put(glance.isClosed(id)) }
            }
        }
        signal.container("a", "s") {}
        bus.send(signal)
    }
}
