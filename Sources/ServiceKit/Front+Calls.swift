internal import Secrets
internal import MessageBus
internal import VaultCrypto
internal import VaultKit

/// Which method does what.
extension Front {
    /// Answers a call of a client that is known, at once or later.
    func serve(_ call: BusMessage, _ client: Client) {
        // Where an alias leads is known only after a look at the vault that is open now.
        guard !isStale || !dependsOnAliases(call) else {
            return look(call, client) { [self] in try route(call, client) }
        }
        do { try route(call, client) } catch { refuse(call, error) }
    }

    private func dependsOnAliases(_ call: BusMessage) -> Bool {
        switch call.path.flatMap({ ObjectPath($0) }) {
        case .alias?, .aliasItem?: call.interface != Interface.introspectable
        case .service?: ["GetSecrets", "Lock", "Unlock"].contains(call.member)
        default: false
        }
    }

    private func route(_ call: BusMessage, _ client: Client) throws {
        guard let path = call.path, let member = call.member else { throw CallFailure.invalid }
        guard let interface = call.interface else {
            throw CallFailure(.unknownInterface, "the call names no interface")
        }
        if interface == Interface.introspectable, member == "Introspect" {
            return bus.answer(call) { $0.put(Introspection.text(path)) }
        }
        if path.hasPrefix(Self.portalPath) {
            if interface == Interface.properties { return try portalProperty(call, member) }
            return try portal(call, path, member, client)
        }
        guard let object = ObjectPath(path) else { throw CallFailure.noSuchObject }
        if interface == Interface.properties { return try property(call, member, object, client) }
        switch (interface, object) {
        case (Interface.service, .service): try service(call, member, client)
        case (Interface.collection, .collection), (Interface.collection, .alias):
            guard let id = collection(object) else { throw CallFailure.noSuchObject }
            guard id != SessionCollection.id else { return try sessionCollection(call, member, client) }
            try collection(call, member, id, client)
        case (Interface.item, .item), (Interface.item, .aliasItem):
            guard case .item(let collection, let id)? = object.resolved(vaultState.named) else {
                throw CallFailure.noSuchObject
            }
            guard collection != SessionCollection.id else {
                return try sessionItem(call, member, id, client)
            }
            try item(call, member, collection, id, client)
        case (Interface.session, .session): try session(call, member, path, client)
        case (Interface.prompt, .prompt): try prompt(call, member, path, client)
        default: throw CallFailure(.unknownInterface, "the object has no such interface")
        }
    }

    /// The collection of an object; nil for none that is there.
    func collection(_ object: ObjectPath) -> String? {
        guard case .collection(let id)? = object.resolved(vaultState.named) else { return nil }
        return id
    }

    /// Refuses a call whose arguments have other types.
    func want(_ call: BusMessage, _ signature: String) throws {
        guard call.signature == signature else { throw CallFailure.invalid }
    }

    func unknown(_ member: String) -> CallFailure {
        CallFailure(.unknownMethod, "no such method")
    }

    private func service(_ call: BusMessage, _ member: String, _ client: Client) throws {
        switch member {
        case "OpenSession": try openSession(call, client)
        case "SearchItems": try search(call, in: nil, client)
        case "Unlock": try unlock(call, client)
        case "Lock": try lock(call, client)
        case "LockService":
            try want(call, "")
            work(call, for: client) {
                try await $0.lock()
            } _: { [self] in
                bus.answer(call)
            }
        case "GetSecrets": try secrets(call, client)
        case "ReadAlias":
            try want(call, "s")
            guard let alias = call.text() else { throw CallFailure.invalid }
            look(call, client) { [self] in
                let path = vaultState.named(alias).map { ObjectPath.collection($0).text }
                bus.answer(call) { $0.put(path ?? ObjectPath.none, "o") }
            }
        case "SetAlias": try setAlias(call, client)
        case "CreateCollection": try createCollection(call, client)
        default: throw unknown(member)
        }
    }

    private func collection(_ call: BusMessage, _ member: String, _ id: String, _ client: Client) throws {
        switch member {
        case "SearchItems": try search(call, in: id, client)
        case "CreateItem": try createItem(call, id, client)
        case "Delete": try deleteCollection(call, id, client)
        default: throw unknown(member)
        }
    }

    private func item(
        _ call: BusMessage,
        _ member: String,
        _ collection: String,
        _ id: String,
        _ client: Client
    ) throws {
        switch member {
        case "GetSecret": try secret(call, collection, id, client)
        case "SetSecret": try setSecret(call, collection, id, client)
        case "Delete": try deleteItem(call, collection, id, client)
        default: throw unknown(member)
        }
    }
}
