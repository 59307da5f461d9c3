/// How the newest head this machine has seen compares with the one in the file, at opening.
public enum AnchorFinding: String, Sendable, CaseIterable {
    /// They are the same.
    case matches
    /// The file was newer, which is normal after a crash; the anchor was raised.
    case raised
    /// There was none; one was made.
    case created
}
