/// How an item holds its record (Schemas/secret-service.md section 2).
enum ItemForm: Sendable {
    /// The secret holds meta content and body as text.
    case record
    /// The secret is the body, an attribute holds the meta content.
    case plain
    /// The secret is the body, and there is no meta content: another program wrote it.
    case foreign
}
