internal import CFIDOLoader
internal import RecordStore

/// The capabilities that a security key reports (CTAP 2.1 section 6.4).
package struct KeyInfo: Equatable, Sendable {
    /// The model, 16 bytes; zeros if the key does not report it.
    package let model: [UInt8]
    /// True if the key can make secrets (hmac-secret).
    package let hasSecrets: Bool
    /// Whether a PIN is set; nil if the key cannot have one.
    package let pin: Bool?
    /// Whether a fingerprint or the like is enrolled; nil if the key cannot have one.
    package let finger: Bool?
    /// True if the key verifies its user for every request.
    package let verifiesAlways: Bool

    /// True if the key can verify its user now.
    package var canVerify: Bool { pin == true || finger == true }

    /// Asks the key for its capabilities.
    init(_ device: OpaquePointer, _ calls: hsip_fido) throws(KeyError) {
        var made = unsafe calls.fido_cbor_info_new()
        guard let info = unsafe made else { throw .outOfMemory }
        defer { unsafe calls.fido_cbor_info_free(&made) }
        let code = unsafe calls.fido_dev_get_cbor_info(device, info)
        guard code == 0 else { throw KeyError(code: code) }
        let size = unsafe calls.fido_cbor_info_aaguid_len(info)
        if size == 16, let bytes = unsafe calls.fido_cbor_info_aaguid_ptr(info) {
            model = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
        } else {
            model = Array(repeating: 0, count: 16)
        }
        let extensions = unsafe Self.texts(
            calls.fido_cbor_info_extensions_ptr(info),
            calls.fido_cbor_info_extensions_len(info)
        )
        hasSecrets = extensions.contains("hmac-secret")
        let count = unsafe calls.fido_cbor_info_options_len(info)
        let names = unsafe Self.texts(calls.fido_cbor_info_options_name_ptr(info), count)
        let values = unsafe calls.fido_cbor_info_options_value_ptr(info)
        var options: [String: Bool] = [:]
        if let values = unsafe values {
            for (index, name) in names.enumerated() { options[name] = unsafe values[index] }
        }
        pin = options["clientPin"]
        finger = options["uv"]
        verifiesAlways = options["alwaysUv"] ?? false
    }

    private static func texts(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int)
        -> [String]
    {
        guard let list = unsafe list else { return [] }
        return (0..<count).map { index in unsafe list[index].map { unsafe String(cString: $0) } ?? "" }
    }
}
