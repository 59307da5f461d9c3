internal import Text

/// An entry of an export that can become a record: names as plain strings, values in the document's locked memory.
public struct Candidate: Sendable, Equatable {
    /// What the entry is where it comes from.
    public enum Kind: String, Sendable, Equatable {
        case login, note, card, identity, key
    }

    /// What it is.
    public var kind: Kind
    /// As its owner calls it; may be empty.
    public var title: String
    /// The folders that it lies in, the outermost first.
    public var folder: [String] = []
    /// Its values, none of them empty.
    public var fields: [CandidateField] = []
    /// Words that it is marked with.
    public var tags: [String] = []
    /// Seconds of Unix time.
    public var created: Int64?
    /// Seconds of Unix time.
    public var modified: Int64?
    /// When it expires, in seconds of Unix time.
    public var expires: Int64?
    /// What of it has no place in a vault and stays behind.
    public var leftOut: [OmittedPart] = []
    /// The names of the files that are attached to it.
    public var attachments: [String] = []
    /// Which entry it was, from 1: the line of a table, or the place in the order of the export.
    public let place: Int

    init(_ kind: Kind, _ title: String, place: Int) {
        self.kind = kind
        self.title = title
        self.place = place
    }

    /// The first field of a role.
    public subscript(role: FieldRole) -> CandidateField? {
        fields.first { $0.role == role }
    }

    /// Says that something stays behind.
    mutating func leave(_ part: OmittedPart) {
        if !leftOut.contains(part) { leftOut.append(part) }
    }

    /// Says that a file stays behind.
    mutating func leave(attachment name: String) {
        leave(.attachments)
        if attachments.count < ImportLimits.attachments { attachments.append(name) }
    }

    /// Adds an address: the first one is what lists show, each further one has a number.
    ///
    /// An entry over the limit of fields is refused, so no further one is looked for a free number.
    mutating func add(address: Range<Int>) {
        guard !address.isEmpty, fields.count <= ImportLimits.fields else { return }
        var (role, number) = (FieldRole.url, 1)
        while self[role] != nil {
            number += 1
            role = .named("url \(number)")
        }
        fields.append(CandidateField(role, address, isHidden: false))
    }
}

/// A part of an entry that is not taken, or is kept as text only.
public enum OmittedPart: String, Sendable, Equatable, CaseIterable {
    /// Files attached to it.
    case attachments
    /// Values that it had before.
    case history
    /// A passkey, which is bound to the program that made it.
    case passkey
    /// Values of a row behind the last column of its header; kept as text.
    case columns
    /// A value that stands for one of another entry, which is not in the export; kept as text.
    case reference
    /// A key of one-time passwords in a form that is not known here; kept as text.
    case oneTimeKey
    /// An SSH key that cannot be read; kept as text.
    case sshKey
}

extension Candidate {
    /// Adds a text that is not empty, or a number as it is written.
    mutating func add(_ node: JSONPlace, as role: FieldRole, isHidden: Bool) {
        guard let value = node.text ?? node.number else { return }
        fields.append(CandidateField(role, value, isHidden: isHidden))
    }

    /// Adds every text of an object under its own name, with a word before it where there is one.
    mutating func add(
        _ node: JSONPlace,
        hidden: Set<String> = [],
        except passedOver: Set<String> = [],
        under word: String = "",
        _ bytes: DocumentBytes
    ) {
        guard case .object(let members) = node else { return }
        for member in members {
            guard let name = bytes.name(member.name), !passedOver.contains(name) else { continue }
            let role = FieldRole.named(word.isEmpty ? name : "\(word) \(name)")
            add(member.value, as: role, isHidden: hidden.contains(name))
        }
    }
}

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

/// What a value is to the entry that has it.
public enum FieldRole: Sendable, Hashable {
    case password
    case user
    case url
    /// An `otpauth:` address, or the bare secret of one in base32.
    case oneTimePassword
    case note
    /// Anything else, under a name of its own.
    case named(String)
}
