/// Something a person should know although the act succeeded.
package struct Warning: Sendable {
    /// The name for scripts: `rekeySoon`.
    package let code: String
    package let message: String
    package let hint: String?
    /// More for scripts, beside the code: an object.
    package let fields: JSONValue

    package init(_ code: String, _ message: String, hint: String? = nil, fields: JSONValue = [:]) {
        self.code = code
        self.message = message
        self.hint = hint
        self.fields = fields
    }
}
