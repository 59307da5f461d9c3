internal import JSON

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
