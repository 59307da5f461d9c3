internal import CommandKit
package import Console
package import VaultKit
internal import VaultPolicy

/// The objects of Schemas/cli/item.schema.json.
extension JSONValue {
    /// An item without its value.
    package static func item(_ item: ItemView) -> JSONValue { .object(itemMembers(item)) }

    /// `item show`: the item, and the numbers of its versions.
    static func itemDetails(_ item: ItemView, versions: [UInt32]) -> JSONValue {
        .object(itemMembers(item) + [JSONMember("versions", .list(versions.map { .integer(Int64($0)) }))])
    }

    /// `item get`: the value as text where it is one, and in base64 in any case; null where it was copied.
    static func itemValue(_ value: ItemValue, of item: ItemView, isCopied: Bool) -> JSONValue {
        [
            "id": .text(value.id),
            "label": .text(item.label),
            "version": .integer(Int64(value.version)),
            "contentType": .optional(value.contentType),
            "value": !isCopied && JSONValue.isText(value.value) ? .secret(value.value) : .null,
            "valueBase64": isCopied ? .null : .secretBase64(value.value),
            "copied": .bool(isCopied),
        ]
    }

    /// Where an item is.
    package static func itemPlace(_ place: ItemPlace) -> JSONValue {
        ["id": .text(place.id), "collection": .text(place.collection)]
    }

    private static func itemMembers(_ item: ItemView) -> [JSONMember] {
        let details = item.details
        let members: [(String, JSONValue)] = [
            ("id", .text(item.place.id)),
            ("collection", .text(item.place.collection)),
            ("label", .text(item.label)),
            ("attributes", .object(item.texts.map { JSONMember($0.name, .text($0.value)) })),
            ("contentType", .optional(item.contentType)),
            ("owner", .optional(details?.owner?.text)),
            ("readers", .list((details?.readers ?? []).map { .text($0.text) })),
            ("createdAt", .time(Int64(clamping: item.created))),
            ("modifiedAt", .time(Int64(clamping: item.modified))),
            ("expiresAt", .time(details?.expires.map { Int64(clamping: $0) })),
            ("removedAt", .time(details?.removedAt.map { Int64(clamping: $0) })),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }
}
