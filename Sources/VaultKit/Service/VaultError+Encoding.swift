extension VaultError {
    /// The error as calls encode a result; nil for one that has no encoding.
    package var encoded: [UInt8]? { try? CallEncoder.value(of: self, CallEncoder.SecretList()).encoded }

    /// Reads an error; nil for anything that is none, and for one of another version.
    package init?(encoded: [UInt8]) {
        guard let value = try? CallValue(encoded: encoded),
            let error = try? CallDecoder.decode(VaultError.self, value, [])
        else { return nil }
        self = error
    }
}
