package import System
@_exported public import Text
package import VaultCrypto

extension SecretBuffer: JSONOutput {}

/// Writes JSON into locked memory, so that a value may be secret.
package enum JSONWriter {
    /// The largest text written, 256 MiB: what there is to say of the hundred thousand secrets that one import may
    /// bring.
    private static let limit = 256 << 20

    /// The UTF-8 bytes of a value on one line, without a line feed.
    package static func bytes(_ value: JSONValue) throws(ProgramError) -> SecretBytes {
        var out = try SecretBuffer(limit: limit)
        try value.write(to: &out)
        return try out.finish()
    }
}
