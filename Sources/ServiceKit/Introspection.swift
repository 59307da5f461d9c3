internal import Secrets

/// What an object says of its interfaces (org.freedesktop.DBus.Introspectable); the same for every client.
enum Introspection {
    private static let head =
        "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\" "
        + "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n"

    /// The document of a path.
    static func text(_ path: String) -> String {
        let interfaces: [String] =
            switch ObjectPath(path) {
            case .service?: [service, provider]
            case .collection?, .alias?: [collection]
            case .item?, .aliasItem?: [item]
            case .session?: [session]
            case .prompt?: [prompt]
            case nil: path == Front.portalPath ? [portal] : []
            }
        return head + "<node>\n" + interfaces.joined() + (interfaces.isEmpty ? "" : properties) + "</node>\n"
    }

    private static func interface(_ name: String, _ members: [String]) -> String {
        " <interface name=\"\(name)\">\n" + members.map { "  \($0)\n" }.joined() + " </interface>\n"
    }

    /// A method: the types of what goes in and of what comes out.
    private static func method(_ name: String, _ input: [String] = [], _ output: [String] = []) -> String {
        let parts =
            input.map { "<arg type=\"\($0)\" direction=\"in\"/>" }
            + output.map { "<arg type=\"\($0)\" direction=\"out\"/>" }
        return "<method name=\"\(name)\">\(parts.joined())</method>"
    }

    private static func signal(_ name: String, _ types: [String]) -> String {
        "<signal name=\"\(name)\">\(types.map { "<arg type=\"\($0)\"/>" }.joined())</signal>"
    }

    private static func property(_ name: String, _ type: String, isWritable: Bool = false) -> String {
        "<property name=\"\(name)\" type=\"\(type)\" access=\"\(isWritable ? "readwrite" : "read")\"/>"
    }

    private static let service = interface(
        Interface.service,
        [
            method("OpenSession", ["s", "v"], ["v", "o"]),
            method("CreateCollection", ["a{sv}", "s"], ["o", "o"]),
            method("SearchItems", ["a{ss}"], ["ao", "ao"]), method("Unlock", ["ao"], ["ao", "o"]),
            method("Lock", ["ao"], ["ao", "o"]), method("LockService"),
            method("GetSecrets", ["ao", "o"], ["a{o(oayays)}"]), method("ReadAlias", ["s"], ["o"]),
            method("SetAlias", ["s", "o"]), signal("CollectionCreated", ["o"]),
            signal("CollectionDeleted", ["o"]),
            signal("CollectionChanged", ["o"]), property("Collections", "ao"),
        ]
    )

    private static let collection = interface(
        Interface.collection,
        [
            method("Delete", [], ["o"]), method("SearchItems", ["a{ss}"], ["ao"]),
            method("CreateItem", ["a{sv}", "(oayays)", "b"], ["o", "o"]), signal("ItemCreated", ["o"]),
            signal("ItemDeleted", ["o"]), signal("ItemChanged", ["o"]), property("Items", "ao"),
            property("Label", "s", isWritable: true), property("Locked", "b"), property("Created", "t"),
            property("Modified", "t"),
        ]
    )

    private static let item = interface(
        Interface.item,
        [
            method("Delete", [], ["o"]), method("GetSecret", ["o"], ["(oayays)"]),
            method("SetSecret", ["(oayays)"]),
            property("Locked", "b"), property("Attributes", "a{ss}", isWritable: true),
            property("Label", "s", isWritable: true), property("Type", "s"), property("Created", "t"),
            property("Modified", "t"),
        ]
    )

    private static let portal = interface(
        Interface.portal,
        [
            method("RetrieveSecret", ["o", "s", "h", "a{sv}"], ["u", "a{sv}"]),
            property("version", "u"),
        ]
    )

    private static let session = interface(Interface.session, [method("Close")])

    private static let prompt = interface(
        Interface.prompt,
        [
            method("Prompt", ["s"]), method("Dismiss"), signal("Completed", ["b", "v"]),
        ]
    )

    private static let provider = interface(
        Interface.provider,
        [
            property("Program", "s"), property("Vault", "s"),
        ]
    )

    private static let properties = interface(
        Interface.properties,
        [
            method("Get", ["s", "s"], ["v"]), method("GetAll", ["s"], ["a{sv}"]),
            method("Set", ["s", "s", "v"]),
            signal("PropertiesChanged", ["s", "a{sv}", "as"]),
        ]
    )
}
