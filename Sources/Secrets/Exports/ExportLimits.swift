/// The numbers of an export file (Schemas/export.md), checked before memory is taken.
public enum ExportLimits {
    /// Bytes of a whole file: 256 MiB.
    public static let file = 256 << 20
    /// Bytes of what one slice holds: 64 KiB.
    public static let slice = 64 << 10
    /// Things in one export.
    public static let items = 200_000
    /// Bytes of a name.
    public static let name = 512
    /// Bytes of a content: a record's own limit.
    public static let content = 16 << 20
}
