internal import Text
package import VaultPolicy

/// The prompts about operations: the words come from the operation, the objects from the call.
extension QuestionText {
    /// The length of the names in one prompt in bytes: less than a line of a pinentry, which shows no more.
    private static let maximumNames = 480
    /// The largest number of prompts about one call; nobody would read more before approving.
    private static let maximumPages = 32
    private static let allSecrets = "all passwords, tokens, notes and files"

    /// Returns the prompts for acts of a call: one, unless there are more names than one prompt can show.
    ///
    /// They show every name, and everything that a change contains, since nothing unseen can be approved. An approval
    /// may hold for `remember` seconds; if that is nil, it holds once. A change that would need more than 32 prompts
    /// gets none.
    package static func confirm(
        _ acts: [Act],
        of request: PolicyRequest,
        by requester: Requester,
        remember: Int? = nil
    ) -> [ConfirmQuestion] {
        // Equal prompts are shown once.
        var groups: [(part: Exposure, acts: [Act])] = []
        for act in acts {
            guard let part = request.part(of: act) else { continue }
            if let place = groups.firstIndex(where: { $0.part.question == part.question }) {
                groups[place].acts.append(act)
            } else {
                groups.append((part, [act]))
            }
        }
        let asked = groups.flatMap { part, acts in questions(acts, part, request) }
        let pages = pages(request.details.map { display.cell($0, columns: .max) })
        guard pages.count <= maximumPages else { return [] }
        return asked.flatMap { what, lines in
            pages.enumerated().map { place, details in
                let part = pages.count > 1 ? ["Part \(place + 1) of \(pages.count)"] : []
                return ConfirmQuestion(
                    title: "Let \(name(of: requester)) \(what)?",
                    lines: who(requester) + part + details + lines,
                    longer: remember.map { .seconds($0) }
                )
            }
        }
    }

    /// Divides lines into pages, each as long as a prompt can show; at least one page.
    private static func pages(_ lines: [String]) -> [[String]] {
        var pages: [[String]] = [[]]
        var size = 0
        for line in lines {
            if size > 0, size + line.utf8.count > maximumNames {
                pages.append([])
                size = 0
            }
            pages[pages.count - 1].append(line)
            size += line.utf8.count + 1
        }
        return pages
    }

    /// Returns the title and the lines of each prompt.
    private static func questions(
        _ acts: [Act],
        _ part: Exposure,
        _ request: PolicyRequest
    ) -> [(what: String, lines: [String])] {
        guard let question = part.question else { return [] }
        func text(_ names: [String]) -> String { question.text(names) { display.name($0) } }
        var subjects: [String] = []
        for act in acts where !subjects.contains(act.subject) { subjects.append(act.subject) }
        let names = subjects.map { request.labels[$0] ?? $0 }
        if question.namesTwo { return [(text(request.subjects), [])] }
        switch part {
        case .comparisonOfAll:
            let parts = parts(names.filter { !$0.isEmpty })
            guard !parts.isEmpty else { return [(text([]), [])] }
            return parts.map { part in
                (text([]), ["Also these secrets, which have a rule of their own: \(list(part.names))"])
            }
        case .use, .values, .everything:
            guard names.count > 1 else { return [(text(names), [])] }
            let parts = parts(names)
            let what = if case .use = part { "use" } else { "read" }
            return parts.map { part in
                let count =
                    parts.count == 1 ? "\(names.count)" : "\(part.names.count) of \(names.count)"
                let place = parts.count == 1 ? "" : " \(part.first) to \(part.first + part.names.count - 1)"
                return ("\(what) \(count) secrets", ["Secrets\(place): \(list(part.names))"])
            }
        default:
            return parts(names).map { part in
                let others = Array(part.names.dropFirst())
                return (text(part.names), others.isEmpty ? [] : ["The same for: \(list(others))"])
            }
        }
    }

    private static func list(_ names: [String]) -> String { names.map(shown).joined(separator: ", ") }

    /// Returns an object of an act as the prompt shows it; only names are quoted.
    private static func shown(_ name: String) -> String { name.isEmpty ? allSecrets : display.name(name) }

    /// Divides names into parts that can be shown together; `first` counts from 1.
    private static func parts(_ names: [String]) -> [(first: Int, names: [String])] {
        var parts: [(first: Int, names: [String])] = []
        var size = 0
        for (place, name) in names.enumerated() {
            let bytes = shown(name).utf8.count + 2
            if parts.isEmpty || size + bytes > maximumNames {
                parts.append((place + 1, []))
                size = 0
            }
            parts[parts.count - 1].names.append(name)
            size += bytes
        }
        return parts
    }
}
