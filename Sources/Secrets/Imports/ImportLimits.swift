/// The numbers that bound what a foreign export can make this program do; each is checked before memory is taken.
public enum ImportLimits {
    /// Bytes of one export: 64 MiB.
    public static let document = 64 << 20
    /// Entries of one export.
    public static let entries = 100_000
    /// Fields of one entry.
    public static let fields = 64
    /// Bytes of one value: 1 MiB.
    public static let value = 1 << 20
    /// Bytes of a title, the name of a field or of a folder.
    public static let name = 512
    /// How deep groups, objects and elements may be nested.
    public static let depth = 64
    /// Values of one JSON text, and elements of one XML text.
    public static let nodes = 4_000_000
    /// Attachments of one entry that are named.
    public static let attachments = 64
    /// Columns of a table.
    public static let columns = 256
}
