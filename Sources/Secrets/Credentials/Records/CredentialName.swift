/// What a credential may be called: any line of text, so that what another program called it can be kept.
///
/// A record's name has rules besides these, which the store checks: normal form C of Unicode.
public enum CredentialName {
    /// Bytes in the longest name; a rule of the policy can name a little more.
    public static let longest = 248

    /// 1 to 248 bytes without control characters and without blanks at either end.
    public static func isValid(_ name: String) -> Bool { PlainText.isLine(name, longest: longest) }
}
