internal import AgentProtocol
internal import MessageBus
internal import VaultCrypto
internal import VaultKit

/// The backend of the desktop's Secret portal: applications in sandboxes get a key of their own, under which they keep their
/// secrets themselves.
extension Front {
    /// The name under which the portal finds it.
    package static let portalName = "org.freedesktop.impl.portal.desktop.hsip"
    /// The portal's own name: only the connection that has it asks for applications.
    private static let portal = "org.freedesktop.portal.Desktop"
    static let portalPath = "/org/freedesktop/portal/desktop"
    /// Requests of the portal under way.
    private static let maximumRequests = 16
    /// Bytes in the longest name on the bus.
    private static let longestName = 255

    /// How a request of the portal ended (org.freedesktop.impl.portal.Request).
    private enum Response: UInt32 {
        case done = 0
        case dismissed = 1
        case refused = 2
    }

    /// Answers a call at the portal's path.
    func portal(_ call: BusMessage, _ path: String, _ member: String, _ client: Client) throws {
        switch (call.interface, path, member) {
        case (Interface.portal, Self.portalPath, "RetrieveSecret"): try retrieveSecret(call, client)
        case (Interface.request, _, "Close"):
            try want(call, "")
            guard let request = requests[path], request.client == client.name else {
                throw CallFailure.noSuchObject
            }
            requests[path] = nil
            cancel(request.task, of: client)
            answer(request.call, .dismissed)
            bus.answer(call)
        case (Interface.portal, Self.portalPath, _), (Interface.request, _, _): throw unknown(member)
        default: throw CallFailure(.unknownInterface, "the object has no such interface")
        }
    }

    /// Reads the properties of the portal's backend: its version.
    func portalProperty(_ call: BusMessage, _ member: String) throws {
        switch (member, call.signature, call.text()) {
        case ("Get", "ss", Interface.portal?):
            guard call.text() == "version" else {
                throw CallFailure(.unknownProperty, "no such property")
            }
            bus.answer(call) { reply in reply.variant("u") { reply.put(Self.portalVersion) } }
        case ("GetAll", "s", Interface.portal?):
            bus.answer(call) { reply in
                reply.container("a", "{sv}") {
                    reply.container("e", "sv") {
                        reply.put("version")
                        reply.variant("u") { reply.put(Self.portalVersion) }
                    }
                }
            }
        case ("Get", "ss", _), ("GetAll", "s", _):
            throw CallFailure(.unknownInterface, "the object has no such interface with properties")
        case ("Set", "ssv", _): throw CallFailure(.readOnly, "the property cannot be set")
        case ("Get", _, _), ("GetAll", _, _), ("Set", _, _): throw CallFailure.invalid
        default: throw unknown(member)
        }
    }

    /// The version of org.freedesktop.impl.portal.Secret.
    private static let portalVersion: UInt32 = 1

    private func retrieveSecret(_ call: BusMessage, _ client: Client) throws {
        try want(call, "osha{sv}")
        // The agent looks besides which program it is.
        guard bus.owner(of: Self.portal) == client.name else { throw CallFailure.denied }
        guard let handle = call.text("o"), let application = call.text(), let descriptor = call.descriptor(),
            let target = PortalTarget(descriptor)
        else { throw CallFailure.invalid }
        guard application.isEmpty || Self.isName(application), handle.hasPrefix(Self.portalPath + "/"),
            requests[handle] == nil
        else { throw CallFailure.invalid }
        requests = requests.filter { clients[$0.value.client] != nil }
        guard requests.count < Self.maximumRequests else { throw CallFailure.tooMuch }
        // Another request may come to the same path once this one is closed.
        let name = nextName("r")
        // It waits for a person without a limit.
        let task = start(for: client, isCall: false) { vault in
            // It is in the vault before it leaves.
            let key = try await vault.opened { try await $0(Operations.itemApplicationKey, application) }
            vault.asking()
            return await target.write(key)
        } _: { [unowned self] result in
            guard requests[handle]?.name == name else { return }
            requests[handle] = nil
            switch result {
            case .success(let isTaken): answer(call, isTaken ? .done : .refused)
            case .failure(let error): answer(call, Self.wasDismissed(error) ? .dismissed : .refused)
            }
        }
        guard let task else { throw CallFailure.tooMuch }
        requests[handle] = PortalRequest(name: name, client: client.name, task: task, call: call)
    }

    private func answer(_ call: BusMessage, _ response: Response) {
        bus.answer(call) { reply in
            reply.put(response.rawValue)
            reply.container("a", "{sv}") {}
        }
    }

    /// Whether a person did not want it, or the request was closed.
    private static func wasDismissed(_ error: any Error) -> Bool {
        if case AgentError.refused(let refusal) = error {
            return ["promptDismissed", "promptTimeout", "cancelled", "locked"].contains(refusal.name)
        }
        return CallFailure(error).error == .isLocked
    }

    /// Whether a text can be the id of an application: a name on the bus (D-Bus specification, "Bus names").
    static func isName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= longestName && parts.count > 1
            && parts.allSatisfy { part in
                guard let first = part.first, !(0x30...0x39).contains(first) else { return false }
                return part.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
                        || byte == UInt8(ascii: "-")
                }
            }
    }
}

/// A request of the portal under way: who made it, and the work that it waits for.
struct PortalRequest {
    let name: String
    let client: String
    let task: UInt64
    let call: BusMessage
}

extension Interface {
    static let portal = "org.freedesktop.impl.portal.Secret"
    static let request = "org.freedesktop.impl.portal.Request"
}
