/// Why a template is not filled.
public enum TemplateError: Error, Equatable, Sendable {
    /// A placeholder of this line is no reference, or does not end.
    case malformed(line: Int)
    /// The text, what it would become, or the number of its placeholders is over the limit.
    case tooLarge
    /// A placeholder has no value.
    case missing
    /// No locked memory was to be had.
    case outOfMemory
}
