internal import Glibc
internal import VaultCrypto

/// Names that come as C strings.
enum CText {
    /// The longest name of a contact or secret that is read.
    static let longestName = 255

    /// A name that must be there.
    ///
    /// - Throws: `usage` for NULL; `malformed` for what is too long or not UTF-8.
    static func name(_ text: UnsafePointer<CChar>?) throws(LibraryError) -> String {
        guard let name = try unsafe optional(text) else { throw .usage }
        return name
    }

    /// A name, or NULL.
    static func optional(
        _ text: UnsafePointer<CChar>?,
        longest: Int = longestName
    ) throws(LibraryError) -> String? {
        guard let text = unsafe text else { return nil }
        let count = unsafe strnlen(text, longest + 1)
        guard count <= longest,
            let name = unsafe String(
                validating: UnsafeRawBufferPointer(start: text, count: count),
                as: UTF8.self
            )
        else { throw .malformed }
        return name
    }
}
