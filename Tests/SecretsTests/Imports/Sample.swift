import Secrets
import Testing
import VaultCrypto

/// Texts as documents, and what is in them as text again: for tests, whose secrets are none.
enum Sample {
    static func read(_ text: String, as format: ImportFormat? = nil) throws(ImportError) -> ImportDocument {
        try read(Array(text.utf8), as: format)
    }

    static func read(_ bytes: [UInt8], as format: ImportFormat? = nil) throws(ImportError) -> ImportDocument {
        guard let memory = try? SecretBytes(copying: bytes) else { throw .outOfMemory }
        return try ImportDocument(reading: memory, as: format)
    }
}

extension ImportDocument {
    /// The fields of an entry as text by their names.
    func fields(_ index: Int) -> [String: String] {
        var fields: [String: String] = [:]
        for field in candidates[index].fields { fields[field.role.word] = text(field) }
        return fields
    }
}

extension FieldRole {
    var word: String {
        switch self {
        case .password: "password"
        case .user: "user"
        case .url: "url"
        case .oneTimePassword: "totp"
        case .note: "note"
        case .named(let name): "own \(name)"
        }
    }
}
