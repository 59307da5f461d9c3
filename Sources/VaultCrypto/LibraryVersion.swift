internal import CSodium

/// Which libsodium does the work.
public enum LibraryVersion {
    /// As the library says it: `1.0.18`.
    public static var sodium: String {
        unsafe sodium_version_string().map { unsafe String(cString: $0) } ?? ""
    }
}
