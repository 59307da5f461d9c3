internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

extension ProfileDocument {
    /// A profile as it is written: what this program knows, and then what it was given to keep.
    ///
    /// `keys` are those that the host is known by.
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

    /// A member that came with the profile: as it came, unless it says what has become something else.
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
