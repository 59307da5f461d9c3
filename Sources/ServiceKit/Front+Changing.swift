internal import Secrets
internal import MessageBus
internal import VaultKit

/// Methods that change items and collections.
extension Front {
    /// Reads the arguments of CreateItem.
    func making(_ call: BusMessage, _ collection: String, _ client: Client) throws -> ItemMaking {
        try want(call, "a{sv}(oayays)b")
        call.markSensitive()
        let properties = try Properties(
            call,
            [
                Interface.item + ".Label": "s", Interface.item + ".Attributes": "a{ss}",
                Interface.item + ".Type": "s",
            ]
        )
        let (value, type) = try value(call, of: client)
        guard let replaces = call.bool() else { throw CallFailure.invalid }
        let label = try properties.label(Interface.item)
        let attributes = try Self.attributes(properties.attributes(Interface.item))
        try Properties.requireRoom(label, attributes)
        return ItemMaking(
            collection: collection,
            label: label,
            attributes: attributes,
            contentType: type,
            value: value,
            replaces: replaces
        )
    }

    func createItem(_ call: BusMessage, _ collection: String, _ client: Client) throws {
        let making = try making(call, collection, client)
        // What takes another program's place is a question, and that waits behind a prompt for as long as it takes.
        workOrPrompt(call, for: client, dismissed: .path(ObjectPath.none)) {
            try await $0.service(Operations.makeItem, making)
        } _: { [self] outcome in
            tell(outcome.isNew ? "ItemCreated" : "ItemChanged", outcome.place)
            return .path(Self.path(outcome.place))
        }
    }

    func setSecret(_ call: BusMessage, _ collection: String, _ id: String, _ client: Client) throws {
        try want(call, "(oayays)")
        call.markSensitive()
        var change = ItemChange()
        let (value, type) = try value(call, of: client)
        (change.value, change.contentType) = (value, type)
        try set(change, call, ItemPlace(collection: collection, id: id), client)
    }

    /// Changes an item, and answers with nothing.
    func set(_ change: ItemChange, _ call: BusMessage, _ place: ItemPlace, _ client: Client) throws {
        guard place.collection != SessionCollection.id else {
            return try setSessionItem(place.id, change, call, client)
        }
        work(call, for: client) { vault in
            _ = try await vault.openVaultState()
            try await vault.require(place)
            return try await vault.service(Operations.setItem, [place.id], change)
        } _: { [self] views in
            guard let view = views.first(where: { $0.place == place }) else { throw CallFailure.noSuchObject }
            tell(change, PropertyValue.all(of: view, isClosed: false), of: place, to: client)
            tell("ItemChanged", place)
            bus.answer(call)
        }
    }

    func deleteItem(_ call: BusMessage, _ collection: String, _ id: String, _ client: Client) throws {
        try want(call, "")
        let place = ItemPlace(collection: collection, id: id)
        workOrPrompt(call, for: client, dismissed: .done) { vault in
            try await vault.require(place)
            return try await vault.service(Operations.removeItem, [id])
        } _: { [self] places in
            guard let place = places.first else { throw CallFailure.noSuchObject }
            tell("ItemDeleted", place)
            return .done
        }
    }

    func createCollection(_ call: BusMessage, _ client: Client) throws {
        try want(call, "a{sv}s")
        let properties = try Properties(call, [Interface.collection + ".Label": "s"])
        guard let alias = call.text() else { throw CallFailure.invalid }
        guard alias.isEmpty || alias == "default" else { throw CallFailure.notSupported }
        let label = try properties.label(Interface.collection)
        workOrPrompt(call, for: client, dismissed: .path(ObjectPath.none), opens: true) { vault in
            // An alias that leads somewhere keeps its collection, which is called as this program wants.
            let all = alias.isEmpty ? [] : try await vault.service(Operations.itemCollections)
            let change = CollectionChange(id: all.first(where: \.isDefault)?.id, label: label)
            let view = try await vault.service(Operations.setCollection, change)
            return (try await vault.vaultState(), view)
        } _: { [self] vaultState, view in
            saw(vaultState)
            return .path(ObjectPath.collection(view.id).text)
        }
    }

    func deleteCollection(_ call: BusMessage, _ id: String, _ client: Client) throws {
        try want(call, "")
        workOrPrompt(call, for: client, dismissed: .done) { vault in
            let places = try await vault.service(Operations.removeCollection, id)
            return (try await vault.vaultState(), places)
        } _: { [self] vaultState, places in
            for place in places { tell("ItemDeleted", place) }
            saw(vaultState)
            return .done
        }
    }

    func setAlias(_ call: BusMessage, _ client: Client) throws {
        try want(call, "so")
        guard let alias = call.text(), let path = call.text("o") else { throw CallFailure.invalid }
        guard alias == "default" else { throw CallFailure.notSupported }
        guard let id = ObjectPath(path).flatMap(collection) else { throw CallFailure.noSuchObject }
        work(call, for: client) { vault in
            let vaultState = try await vault.openVaultState()
            guard vaultState.has(id) else { throw CallFailure.noSuchObject }
            if vaultState.named(alias) != id {
                _ = try await vault.service(
                    Operations.setCollection,
                    CollectionChange(id: id, becomesDefault: true)
                )
            }
            return try await vault.vaultState()
        } _: { [self] vaultState in
            saw(vaultState)
            bus.answer(call)
        }
    }
}

extension AgentVault {
    /// Refuses an item that is not where its path says.
    func require(_ place: ItemPlace) async throws {
        guard try await service.itemViews([place.id]).first?.place == place else {
            throw CallFailure.noSuchObject
        }
    }
}
