internal import Credentials
internal import ImportFormats
internal import RecordStore

/// The name that an entry of another program gets here: its folders and its title, slashes between them.
enum CandidateName {
    /// What is forbidden in a name is left out, and what is too long is cut at a letter.
    static func of(_ candidate: Candidate) -> String {
        let parts = (candidate.folder + [candidate.title]).map { cleaned($0) }.filter { !$0.isEmpty }
        let name = cut(NameRules.normalized(parts.joined(separator: "/")), to: CredentialName.longest)
        return CredentialName.isValid(name) ? name : "entry \(candidate.place)"
    }

    /// The name of a field as the vault takes it.
    static func field(_ name: String) -> String {
        let name = cut(cleaned(name), to: CredentialField.longestName)
        return CredentialField.isName(name) ? name : "field"
    }

    /// A line without what may not be in one.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: scalars.append(" ")
            case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: break
            default: scalars.append(scalar)
            }
        }
        var line = scalars.drop { $0.properties.isWhitespace }
        while let last = line.last, last.properties.isWhitespace { line.removeLast() }
        return String(Substring(line))
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = ""
        for letter in text {
            guard kept.utf8.count + String(letter).utf8.count <= limit - 3 else { break }
            kept.append(letter)
        }
        return cleaned(kept) + "…"
    }
}
