/// Reads the unencrypted XML of KeePass 2 and KeePassXC: groups, entries, their strings, times and tags.
struct KeePassXML {
    private var reader: XMLReader
    private var found = Findings()
    private var recycleBin: String?
    private var count = 0
    private var references = KeePassReferences()
    private let bytes: DocumentBytes

    /// Reads an export.
    ///
    /// - Throws: `documentType`; `malformed`; `unknownFormat` for other XML, and for groups and entries where KeePass has
    ///   none; `tooLarge`.
    static func read(_ bytes: DocumentBytes) throws(ImportError) -> Findings {
        var export = KeePassXML(bytes)
        try export.read()
        let references = export.references
        export.found.eachCandidate { references.resolve(in: &$0, bytes) }
        return export.found
    }

    private init(_ bytes: DocumentBytes) {
        self.bytes = bytes
        reader = XMLReader(bytes)
    }

    private mutating func read() throws(ImportError) {
        guard try reader.root(bytes).isCalled("KeePassFile", bytes) else { throw .unknownFormat }
        while let part = try reader.child(bytes) {
            if part.isCalled("Meta", bytes) {
                try readMeta()
            } else if part.isCalled("Root", bytes) {
                while let element = try reader.child(bytes) {
                    if element.isCalled("Group", bytes) {
                        // The name of the outermost group is not part of a folder.
                        try readGroup(in: nil, isTrash: false)
                    } else if element.isCalled("Entry", bytes) {
                        try readEntry(in: [], isTrash: false)
                    } else {
                        try passOver(element)
                    }
                }
            } else {
                try passOver(part)
            }
        }
        try reader.end(bytes)
    }

    private mutating func readMeta() throws(ImportError) {
        while let element = try reader.child(bytes) {
            if element.isCalled("RecycleBinUUID", bytes) {
                recycleBin = bytes.name(try reader.text(bytes))
            } else {
                try passOver(element)
            }
        }
    }

    /// Reads a group with its content; `folder` has the names of the outer groups, nil for the outermost group.
    private mutating func readGroup(in folder: [String]?, isTrash: Bool) throws(ImportError) {
        var (path, isTrash) = (folder ?? [], isTrash)
        while let element = try reader.child(bytes) {
            if element.isCalled("UUID", bytes) {
                let id = bytes.name(try reader.text(bytes))
                if id != nil, id == recycleBin { isTrash = true }
            } else if element.isCalled("Name", bytes) {
                let name = bytes.name(try reader.text(bytes)) ?? ""
                if let folder, !name.isEmpty { path = folder + [name] }
            } else if element.isCalled("Group", bytes) {
                try readGroup(in: path, isTrash: isTrash)
            } else if element.isCalled("Entry", bytes) {
                try readEntry(in: path, isTrash: isTrash)
            } else {
                try passOver(element)
            }
        }
    }

    /// Skips an unknown element, but refuses the export if the element contains entries.
    private mutating func passOver(_ element: XMLReader.Element) throws(ImportError) {
        let depth = reader.open.count
        var next = Optional(element)
        repeat {
            guard next?.isCalled("Entry", bytes) != true, next?.isCalled("Group", bytes) != true else {
                throw .unknownFormat
            }
            next = try reader.child(bytes)
        } while reader.open.count >= depth
    }

    private mutating func readEntry(in folder: [String], isTrash: Bool) throws(ImportError) {
        count += 1
        var candidate = Candidate(.login, "", place: count)
        candidate.folder = folder
        var (refusal, id) = (RefusedEntry.Reason?.none, String?.none)
        var parts: [KeePassPart: Range<Int>] = [:]
        while let element = try reader.child(bytes) {
            if element.isCalled("String", bytes) {
                if let reason = try readString(into: &candidate, &parts) { refusal = reason }
            } else if element.isCalled("UUID", bytes) {
                id = bytes.name(bytes.trimmed(try reader.text(bytes)))
            } else if element.isCalled("Times", bytes) {
                try readTimes(into: &candidate)
            } else if element.isCalled("Tags", bytes) {
                candidate.tags = PasswordTable.parts(bytes.name(try reader.text(bytes)), at: ",;")
            } else if element.isCalled("Binary", bytes) {
                candidate.leave(attachment: try readAttachment())
            } else if element.isCalled("History", bytes) {
                if try reader.child(bytes) != nil {
                    candidate.leave(.history)
                    try reader.skip(bytes)
                    try reader.skip(bytes)
                }
            } else {
                try passOver(element)
            }
        }
        if let id { references.note(parts, of: id) }
        if isTrash { refusal = .inTrash }
        guard refusal == nil else {
            return try found.refuse(candidate.title, place: count, refusal ?? .empty)
        }
        if candidate[.password] == nil, candidate[.user] == nil, candidate[.note] != nil {
            candidate.kind = .note
        }
        if candidate.title.isEmpty, let url = candidate[.url] {
            candidate.title = HostName.of(bytes.text(url.value) ?? "")
        }
        // Programs write these fields before the address that people see.
        let addresses = candidate.fields.filter(Self.isFurtherAddress)
        candidate.fields.removeAll(where: Self.isFurtherAddress)
        for address in addresses { candidate.add(address: address.value) }
        KeePassCode.join(in: &candidate, bytes)
        try found.take(candidate)
    }

    /// The name of an attached file; the file itself is stored elsewhere in the export, compressed.
    private mutating func readAttachment() throws(ImportError) -> String {
        var name = ""
        while let element = try reader.child(bytes) {
            if element.isCalled("Key", bytes) {
                name = bytes.name(try reader.text(bytes)) ?? ""
            } else {
                try reader.skip(bytes)
            }
        }
        return name
    }

    /// Reads a string of an entry: its key and its value.
    ///
    /// - Returns: The reason to refuse the entry; nil if it is valid.
    private mutating func readString(
        into candidate: inout Candidate,
        _ parts: inout [KeePassPart: Range<Int>]
    ) throws(ImportError) -> RefusedEntry.Reason? {
        var (key, value, isHidden, isSealed) = ("", 0..<0, false, false)
        var isKnown = true
        while let element = try reader.child(bytes) {
            if element.isCalled("Key", bytes) {
                let name = bytes.name(try reader.text(bytes))
                isKnown = name != nil
                key = name ?? ""
            } else if element.isCalled("Value", bytes) {
                isHidden = element.says("ProtectInMemory", bytes)
                isSealed = element.says("Protected", bytes)
                value = try reader.text(bytes)
            } else {
                try reader.skip(bytes)
            }
        }
        guard isKnown else { return .tooLarge }
        guard !value.isEmpty else { return nil }
        guard !isSealed else { return .encrypted }
        if let part = KeePassPart(key: key) { parts[part] = value }
        guard key != "Title" else {
            guard let title = bytes.name(value) else { return .tooLarge }
            candidate.title = title
            return nil
        }
        let role = Self.role(of: key)
        let isSecret = isHidden || role == .password || role == .oneTimePassword || role == .note
        candidate.fields.append(CandidateField(role, value, isHidden: isSecret))
        return nil
    }

    private static func isFurtherAddress(_ field: CandidateField) -> Bool {
        guard case .named(let name) = field.role else { return false }
        return name.hasPrefix("KP2A_URL")
    }

    private static func role(of key: String) -> FieldRole {
        switch key {
        case "UserName": .user
        case "Password": .password
        case "URL": .url
        case "Notes": .note
        case "otp": .oneTimePassword
        default: .named(key)
        }
    }

    private mutating func readTimes(into candidate: inout Candidate) throws(ImportError) {
        var (expires, ends) = (false, Int64?.none)
        while let element = try reader.child(bytes) {
            let text = bytes.name(bytes.trimmed(try reader.text(bytes))) ?? ""
            if element.isCalled("CreationTime", bytes) {
                candidate.created = Timestamp.keePass(text)
            } else if element.isCalled("LastModificationTime", bytes) {
                candidate.modified = Timestamp.keePass(text)
            } else if element.isCalled("ExpiryTime", bytes) {
                ends = Timestamp.keePass(text)
            } else if element.isCalled("Expires", bytes) {
                expires = text.lowercased() == "true"
            }
        }
        candidate.expires = expires ? ends : nil
    }
}
