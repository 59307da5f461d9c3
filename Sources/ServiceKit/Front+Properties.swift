internal import Secrets
internal import MessageBus
internal import VaultKit

/// Reading and writing properties.
extension Front {
    func property(_ call: BusMessage, _ member: String, _ object: ObjectPath, _ client: Client) throws {
        switch member {
        case "Get":
            try want(call, "ss")
            guard let interface = call.text(), let name = call.text() else { throw CallFailure.invalid }
            try read(call, object, interface, client) { [self] all in
                guard let value = all[name] else {
                    throw CallFailure(.unknownProperty, "no such property")
                }
                if name == "Items" { noteReading(object, all, client) }
                bus.answer(call) { value.write(to: $0) }
            }
        case "GetAll":
            try want(call, "s")
            guard let interface = call.text() else { throw CallFailure.invalid }
            try read(call, object, interface, client) { [self] all in
                noteReading(object, all, client)
                bus.answer(call) { $0.put(properties: all) }
            }
        case "Set":
            try want(call, "ssv")
            try write(call, object, client)
        default: throw unknown(member)
        }
    }

    private func read(
        _ call: BusMessage,
        _ object: ObjectPath,
        _ interface: String,
        _ client: Client,
        _ then: @escaping ([String: PropertyValue]) throws -> Void
    ) throws {
        switch (interface, object) {
        case (Interface.provider, .service):
            // Asked by hsip before it uses the service it finds: at once, whatever the agent does.
            try then(["Program": .text(program), "Vault": .text(pool.vaultID)])
        case (Interface.service, .service):
            look(call, client) { [self] in
                try then(["Collections": collectionPaths])
            }
        case (Interface.collection, .collection), (Interface.collection, .alias):
            try readCollection(call, object, client, then)
        case (Interface.item, .item), (Interface.item, .aliasItem):
            try readItem(call, object, client, then)
        default: throw CallFailure(.unknownInterface, "the object has no such interface with properties")
        }
    }

    private func readCollection(
        _ call: BusMessage,
        _ object: ObjectPath,
        _ client: Client,
        _ then: @escaping ([String: PropertyValue]) throws -> Void
    ) throws {
        guard collection(object) != SessionCollection.id else { return try then(sessionProperties(client)) }
        work(call, for: client) { vault in
            let vaultState = try await vault.vaultState()
            guard !vaultState.isLocked, case .collection(let id)? = object.resolved(vaultState.named),
                vaultState.has(id)
            else { return (vaultState, ItemMatches()) }
            return (vaultState, try await vault.service(Operations.itemSearch, ItemSearch(in: id)))
        } _: { [self] seen, matches in
            saw(seen)
            guard let id = collection(object), vaultState.has(id) else { throw CallFailure.noSuchObject }
            let view = vaultState.collection(id)
            let places = matches.open + matches.asked
            try then([
                "Items": .paths(places.map(Self.path)),
                "Label": .text(view?.label ?? "Login"),
                "Locked": .bool(vaultState.isClosed(id)),
                "Created": .seconds(view?.created ?? 0),
                "Modified": .seconds(view?.modified ?? 0),
            ])
        }
    }

    private func readItem(
        _ call: BusMessage,
        _ object: ObjectPath,
        _ client: Client,
        _ then: @escaping ([String: PropertyValue]) throws -> Void
    ) throws {
        guard case .item(let collection, let id)? = object.resolved(vaultState.named) else {
            throw CallFailure.noSuchObject
        }
        let place = ItemPlace(collection: collection, id: id)
        guard collection != SessionCollection.id else {
            guard let item = sessionItem(place, of: client) else { throw CallFailure.noSuchObject }
            return try then(PropertyValue.all(of: item))
        }
        let isKnown = isKnown
        work(call, for: client) { vault in
            try await vault.views([id], isKnown: isKnown)
        } _: { [self] seen, views in
            if let seen { saw(seen) }
            // Of a locked vault every path reads the same, so that no one learns which items are there.
            guard !vaultState.isLocked else { return try then(PropertyValue.ofLockedItem) }
            guard let view = views.first(where: { $0.place == place }) else { throw CallFailure.noSuchObject }
            try then(PropertyValue.all(of: view, isClosed: vaultState.isClosed(collection)))
        }
    }

    private func write(_ call: BusMessage, _ object: ObjectPath, _ client: Client) throws {
        guard let interface = call.text(), let name = call.text() else { throw CallFailure.invalid }
        switch (interface, name, object.resolved(vaultState.named)) {
        case (Interface.item, "Label", .item(let collection, let id)?):
            guard call.enter("v", "s"), let label = call.text() else { throw CallFailure.invalid }
            var change = ItemChange()
            change.label = try Properties.itemLabel(label)
            try set(change, call, ItemPlace(collection: collection, id: id), client)
        case (Interface.item, "Attributes", .item(let collection, let id)?):
            guard call.enter("v", "a{ss}"), let pairs = call.pairs(limit: ItemAttributes.maximumCount) else {
                throw CallFailure.invalid
            }
            var change = ItemChange()
            change.attributes = try Self.attributes(pairs)
            try set(change, call, ItemPlace(collection: collection, id: id), client)
        case (Interface.collection, "Label", .collection(let id)?):
            guard call.enter("v", "s"), let label = call.text() else { throw CallFailure.invalid }
            guard id != SessionCollection.id else { throw CallFailure.notSupported }
            try rename(id, Properties.checked(label), call, client)
        case (Interface.item, _, .item?), (Interface.collection, _, .collection?),
            (Interface.service, _, .service?):
            throw CallFailure(.readOnly, "the property cannot be set")
        default: throw CallFailure(.unknownProperty, "no such property")
        }
    }

    private func rename(_ id: String, _ label: String, _ call: BusMessage, _ client: Client) throws {
        work(call, for: client) { vault in
            guard try await vault.openVaultState().has(id) else { throw CallFailure.noSuchObject }
            _ = try await vault.service(Operations.setCollection, CollectionChange(id: id, label: label))
            return try await vault.vaultState()
        } _: { [self] vaultState in
            saw(vaultState)
            bus.answer(call)
        }
    }
}
