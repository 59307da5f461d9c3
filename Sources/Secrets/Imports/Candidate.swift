internal import Text

/// An entry of an export that can become a record.
///
/// Names are strings, and values are ranges of the document's locked memory.
public struct Candidate: Sendable, Equatable {
    /// The kind of an entry in the exporting program.
    public enum Kind: String, Sendable, Equatable {
        case login, note, card, identity, key
    }

    /// The kind of the entry.
    public var kind: Kind
    /// The entry's title; may be empty.
    public var title: String
    /// The folders of the entry, the outermost first.
    public var folder: [String] = []
    /// The fields with a value; none is empty.
    public var fields: [CandidateField] = []
    /// The tags of the entry.
    public var tags: [String] = []
    /// Creation time, Unix seconds.
    public var created: Int64?
    /// Time of the last change, Unix seconds.
    public var modified: Int64?
    /// Expiry, Unix seconds.
    public var expires: Int64?
    /// The parts of the entry that the vault cannot keep as they are.
    public var leftOut: [OmittedPart] = []
    /// The names of the attached files.
    public var attachments: [String] = []
    /// The number of the entry, from 1: the line of a table, or its position in the export.
    public let place: Int

    init(_ kind: Kind, _ title: String, place: Int) {
        self.kind = kind
        self.title = title
        self.place = place
    }

    /// The first field with a role.
    public subscript(role: FieldRole) -> CandidateField? {
        fields.first { $0.role == role }
    }

    /// Records that a part is not imported.
    mutating func leave(_ part: OmittedPart) {
        if !leftOut.contains(part) { leftOut.append(part) }
    }

    /// Records that an attached file is not imported.
    mutating func leave(attachment name: String) {
        leave(.attachments)
        if attachments.count < ImportLimits.attachments { attachments.append(name) }
    }

    /// Adds an address; lists show the first one, and each further one gets a number.
    ///
    /// An entry over the limit of fields is refused anyway, so the search for a free number stops there.
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

/// A part of an entry that is not imported, or only as text.
public enum OmittedPart: String, Sendable, Equatable, CaseIterable {
    /// The attached files.
    case attachments
    /// Earlier values.
    case history
    /// A passkey, which only works in the program that made it.
    case passkey
    /// Values after the last column of the header; kept as text.
    case columns
    /// A reference to a value of another entry that the export lacks; kept as text.
    case reference
    /// A key of one-time passwords in an unknown form; kept as text.
    case oneTimeKey
    /// An unreadable SSH key; kept as text.
    case sshKey
}

extension Candidate {
    /// Adds a non-empty text, or a number as written, as a field.
    mutating func add(_ node: JSONPlace, as role: FieldRole, isHidden: Bool) {
        guard let value = node.text ?? node.number else { return }
        fields.append(CandidateField(role, value, isHidden: isHidden))
    }

    /// Adds every text of an object as a field with its own name.
    ///
    /// If `word` is not empty, the name begins with `word` and a space.
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

/// A field of an entry: its role, and the range of its value in the document's memory.
public struct CandidateField: Sendable, Equatable {
    /// The role of the field.
    public let role: FieldRole
    /// The range of the value's bytes in the document.
    public let value: Range<Int>
    /// Whether the exporting program hides the value.
    public let isHidden: Bool
    /// Public text of the value before and after the bytes, for an address that the export splits.
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

/// The role of a field in its entry.
public enum FieldRole: Sendable, Hashable {
    case password
    case user
    case url
    /// An `otpauth:` address, or its bare secret in base32.
    case oneTimePassword
    case note
    /// Any other field, with its name.
    case named(String)
}
