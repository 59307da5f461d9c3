internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// Host profiles as JSON: a list of objects, in the form of this program or of apps that have such lists.
///
/// The apps use `label`, `hostname`, `authMethod`, … on iOS and `name`, `hostname`, `uploadDir`, … on Android. Members that this program does not use are kept and exported unchanged. The one exception is a plaintext
/// password: it is not imported, because profiles do not hold passwords.
struct ProfileDocument {
    /// One profile of the list.
    struct Entry {
        /// The name that the file requires; nil if the import has to make one.
        var name: String?
        var id: HostID?
        var fields: HostProfile.Fields
        /// The host key that was pinned.
        var hostKey: PublicKey?
        var isDefault = false
        var hadPassword = false
        var extras: [HostRecord.ExtraField] = []
    }

    /// The largest file that is read, in bytes.
    static let limit = 1 << 20
    /// The most profiles in a list.
    static let maximum = 10_000

    /// Members that become parts of a profile and are written from them.
    private static let known: Set<String> = [
        "alias", "label", "hostname", "port", "username", "authMethod", "key", "passwordName", "uploadPath",
        "hostKeyAlias", "default",
    ]

    var entries: [Entry] = []

    /// Reads a list, or one profile.
    ///
    /// - Parameters:
    ///   - bytes: JSON: an object, or a list of at most `maximum`.
    ///   - key: The key to log in with for profiles that say only "by key".
    /// - Throws: `malformedInput`; `oversized` for a longer list; the error of a part of a profile, with a message
    ///   that says which profile it is.
    init(_ bytes: [UInt8], key: String?) throws {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue(bytes)
        } catch {
            throw Failure(.malformedInput, "the file is not JSON")
        }
        let objects: [JSONValue] = if case .list(let items) = document { items } else { [document] }
        guard objects.count <= Self.maximum else { throw SSHFormatError.oversized(limit: Self.maximum) }
        for (index, object) in objects.enumerated() {
            do {
                entries.append(try Self.entry(object, key: key))
            } catch {
                throw Self.located(error, index)
            }
        }
        guard entries.count(where: \.isDefault) <= 1 else {
            throw Failure(.malformedInput, "two profiles claim to be the default")
        }
    }

    /// The error with the number of its profile, counted from 1.
    static func located(_ error: any Error, _ index: Int) -> Failure {
        var failure = Failure(error)
        failure.message = "profile \(index + 1): \(failure.message)"
        return failure
    }

    private static func entry(_ object: JSONValue, key: String?) throws -> Entry {
        guard case .object(let members) = object else { throw wrong("not a JSON object") }
        // Android apps have one name for a host; it becomes the label.
        let label = try text(object, "label") ?? text(object, "name") ?? ""
        let path = try text(object, "privateKeyPath")
        let method =
            try text(object, "authMethod") ?? (path.map { !$0.isEmpty } ?? false ? "key" : "password")
        var fields = HostProfile.Fields(
            label: label,
            host: try text(object, "hostname") ?? "",
            user: try text(object, "username") ?? "",
            authentication: method
        )
        if let port = object["port"], port != .null {
            guard let number = port.integer else { throw SSHFormatError.badPort }
            fields.port = number
        }
        fields.keyReference = try text(object, "key") ?? (method == "key" ? key : nil)
        fields.passwordReference = try text(object, "passwordName")
        if let path = try text(object, "uploadPath") ?? text(object, "uploadDir") { fields.uploadPath = path }
        fields.hostKeyAlias = try text(object, "hostKeyAlias")
        var entry = Entry(fields: fields)
        entry.name = try text(object, "alias").map { try HostNames.new($0) }
        entry.id = try text(object, "id").map { try HostID($0) }
        entry.isDefault = object["default"] == .bool(true)
        if let pinned = try text(object, "hostPublicKey"), pinned.contains(where: { !$0.isWhitespace }) {
            var key = try PublicKey(line: Array(pinned.utf8))
            key.comment = []
            entry.hostKey = key
        }
        if let password = try text(object, "password"), !password.isEmpty { entry.hadPassword = true }
        // The identifier is among the extras, so that an export writes it in its original case.
        entry.extras = try members.filter { !known.contains($0.name) && $0.name != "password" }.map {
            HostRecord.ExtraField(name: $0.name, json: String(decoding: try $0.value.bytes(), as: UTF8.self))
        }
        return entry
    }

    private static func text(_ object: JSONValue, _ name: String) throws(Failure) -> String? {
        switch object[name] {
        case nil, .null?: nil
        case .text(let text)?: text
        default: throw wrong("'\(name)' is not text")
        }
    }

    private static func wrong(_ what: String) -> Failure {
        Failure(.malformedInput, what)
    }
}

extension ProfileDocument {
    /// A profile as an export writes it: the members that this program uses, then the other members it was imported with.
    ///
    /// `keys` are the keys that the host is known by.
    static func object(_ host: HostSummary, _ keys: [PublicKey]) -> JSONValue {
        let profile = host.profile
        var object = JSONValue.object([])
        object["id"] = .text(profile.id.description)
        object["alias"] = .text(host.name)
        object["label"] = .text(profile.label)
        object["hostname"] = .text(profile.address.name)
        object["port"] = .number("\(profile.address.port)")
        object["username"] = .text(profile.user)
        object["authMethod"] = .text(profile.authentication.rawValue)
        object["key"] = profile.keyReference.map { .text($0) } ?? .null
        object["passwordName"] = profile.passwordReference.map { .text($0) } ?? .null
        object["uploadPath"] = .text(profile.uploadPath)
        object["hostKeyAlias"] = profile.hostKeyAlias.map { .text($0.name) } ?? .null
        object["default"] = .bool(host.isDefault)
        object["hostPublicKey"] =
            keys.first.map { .text(String(decoding: $0.typeAndBase64, as: UTF8.self)) } ?? .null
        for extra in host.extras {
            guard let value = try? JSONValue(Array(extra.json.utf8)) else { continue }
            object[extra.name] = kept(value, extra.name, profile, keys)
        }
        return object
    }

    /// A member that the profile was imported with: unchanged, unless the part that it describes has changed.
    private static func kept(
        _ value: JSONValue,
        _ name: String,
        _ profile: HostProfile,
        _ keys: [PublicKey]
    ) -> JSONValue {
        switch name {
        case "id":
            return value.text.flatMap { try? HostID($0) } == profile.id
                ? value : .text(profile.id.description)
        case "hostPublicKey":
            guard let pinned = value.text, let key = try? PublicKey(line: Array(pinned.utf8)),
                keys.contains(where: { $0.isSameKey(as: key) })
            else {
                return keys.first.map { .text(String(decoding: $0.typeAndBase64, as: UTF8.self)) } ?? .null
            }
            return value
        case "name": return value.text == profile.label ? value : .text(profile.label)
        case "uploadDir": return value.text == profile.uploadPath ? value : .text(profile.uploadPath)
        default: return value
        }
    }
}
