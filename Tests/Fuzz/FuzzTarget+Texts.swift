import Secrets
import VaultCrypto

extension FuzzTarget {
    /// A file of variables.
    static func variableFile(_ bytes: [UInt8]) -> String? {
        guard let file = try? VariableFile(reading: bytes) else { return nil }
        guard file.variables.reduce(0, { $0 + $1.name.count + $1.value.count }) <= bytes.count else {
            return "more than there was"
        }
        for variable in file.variables {
            guard VariableFile.isName(variable.name) else { return "a variable with a bad name" }
            guard !variable.value.contains(0) else { return "a variable with a zero byte" }
        }
        return nil
    }

    /// A text that was edited, and the bytes as a value that is written and read again.
    static func secretText(_ bytes: [UInt8]) -> String? {
        guard let value = try? Secret(copying: bytes), let field = try? CredentialField("a", value),
            let made = try? Credential(.login, [field], at: 1)
        else { return nil }
        if let text = try? CredentialText(reading: value) {
            _ = try? text.changes(to: made, expires: "never")
        }
        guard let written = try? CredentialText.text(of: made, comment: [], expires: "never") else {
            return nil
        }
        do {
            let changes = try CredentialText(reading: Secret(written)).changes(to: made, expires: "never")
            return changes.isEmpty ? nil : "a text that was not edited is a change"
        } catch {
            return "a text that was written is not read: \(error)"
        }
    }
}
