/// A value of an entry: what it is, and where in the document's memory it lies.
public struct CandidateField: Sendable, Equatable {
    /// What it is.
    public let role: FieldRole
    /// Where its bytes are.
    public let value: Range<Int>
    /// Whether the program it comes from hides it from eyes.
    public let isHidden: Bool
    /// Words around the bytes that are part of the value and no secret: an address that the export has in pieces.
    let (before, after): (String, String)

    init(
        _ role: FieldRole,
        _ value: Range<Int>,
        isHidden: Bool,
        before: String = "",
        after: String = ""
    ) {
        self.role = role
        self.value = value
        self.isHidden = isHidden
        (self.before, self.after) = (before, after)
    }
}
