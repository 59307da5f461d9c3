internal import Text
package import VaultCrypto

/// What docker wants to be kept: an object of three texts, read without its secret ever leaving locked memory.
package struct DockerLogin {
    package let address: String
    package let user: String
    package let secret: Secret

    /// Reads `{"ServerURL":…,"Username":…,"Secret":…}`, whose memory becomes the secret's.
    ///
    /// A member that is missing is empty; others have to be texts too, and are passed over. Nil for anything else.
    package init?(_ json: consuming SecretBytes) throws {
        let place: JSONPlace? = json.withMutableBytes { bytes in
            // docker writes no byte order mark.
            guard bytes.byteCount > 0, bytes.bytes.byte(at: 0) != 0xEF else { return nil }
            return try? JSONPlace(reading: &bytes, JSONLimits(depth: 1))
        }
        guard case .object(let members)? = place else { return nil }
        let memory = Secret(json)
        var texts: [String: Secret] = [:]
        for member in members {
            guard case .text(let range) = member.value, let name = Self.word(try memory.part(member.name)),
                texts.updateValue(try memory.part(range), forKey: name) == nil
            else { return nil }
        }
        guard let address = texts["ServerURL"].map(Self.word) ?? "",
            let user = texts["Username"].map(Self.word) ?? ""
        else { return nil }
        self.address = address
        self.user = user
        secret = try texts["Secret"] ?? Secret(copying: [UInt8]())
    }

    private static func word(_ text: Secret) -> String? {
        text.withBytes { String(validating: $0.copied(), as: UTF8.self) }
    }
}
