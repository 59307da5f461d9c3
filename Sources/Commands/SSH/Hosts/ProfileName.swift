internal import SSHFormats

/// Names for profiles that came without one.
enum ProfileName {
    /// A name of the label, or of the address where that has none of the letters that names have.
    static func made(from profile: HostProfile) -> String {
        for text in [profile.label, profile.address.name] {
            var name = ""
            for character in text.lowercased() {
                let isPlain =
                    character.isASCII
                    && (character.isLetter || character.isNumber || "._-".contains(character))
                if isPlain {
                    name.append(character)
                } else if !name.hasSuffix("-") {
                    name.append("-")
                }
            }
            name = String(name.drop { $0 == "-" }.prefix(HostRecord.longestName))
            while name.hasSuffix("-") { name.removeLast() }
            if name.contains(where: { $0.isLetter || $0.isNumber }), let name = try? HostRecord.name(name) {
                return name
            }
        }
        return "host"
    }

    /// The free name with the lowest number after it.
    static func numbered(_ name: String, besides taken: Set<String>) -> String {
        let base = name.prefix(HostRecord.longestName - 8)
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }
}
