/// The limits of a record (Schemas/vault-file.md section 3), checked on write and on read, before any
/// allocation.
public enum RecordLimits {
    /// Longest kind, in ASCII characters.
    public static let kind = 32
    /// Longest name, in bytes of UTF-8.
    public static let name = 512
    /// Longest label, in bytes of UTF-8.
    public static let label = 1_024
    /// Most attributes of one record.
    public static let attributes = 64
    /// Longest attribute name, in bytes of UTF-8.
    public static let attributeName = 64
    /// Longest attribute value, in bytes.
    public static let attributeValue = 4_096
    /// Longest meta content: everything about a record but its secret.
    public static let meta = 64 << 10
    /// Longest secret: 16 MiB.
    public static let body = 16 << 20
    /// Size of the identity that survives renaming.
    public static let uid = 16
}
