/// The use of colour.
///
/// Every colour accompanies a word with the same meaning.
package struct Style: Equatable, Sendable {
    /// Without any colour.
    package static let plain = Style(isOn: false)

    package let isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Decides for one stream: `--color` first, then whether it is a terminal, `$NO_COLOR` and `TERM=dumb`.
    package init(_ choice: ColorChoice, isTerminal: Bool, in console: ConsoleEnvironment) {
        isOn =
            switch choice {
            case .always: true
            case .never: false
            case .auto: isTerminal && !console.refusesColor && !console.isDumb
            }
    }

    /// Paints a text in the terminal's own sixteen colours, which its theme defines.
    package func paint(_ text: String, _ tone: Tone) -> String {
        guard isOn, let code = Self.code(tone), !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private static func code(_ tone: Tone) -> Int? {
        switch tone {
        case .plain: nil
        case .danger: 31
        case .soon: 33
        case .good: 32
        case .past: 2
        case .heading: 1
        }
    }
}

/// The value of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto
    case always
    case never
}

/// The four meanings of colours, and the heading of a table.
package enum Tone: Sendable {
    case plain
    /// Refused, dangerous.
    case danger
    /// Needs action soon.
    case soon
    /// Verified.
    case good
    /// Past.
    case past
    case heading
}
