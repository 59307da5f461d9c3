package import Text

/// One cell of a table: what a person sees, and what a script gets.
package struct Cell: Equatable, Sendable {
    /// Already fit for a terminal.
    package let shown: String
    /// The full, exact value.
    package let value: String
    package let tone: Tone

    /// Text of our own; scripts may get another value (an exact time in place of “in 2 days”).
    package init(_ shown: String, value: String? = nil, tone: Tone = .plain) {
        self.shown = shown
        self.value = value ?? shown
        self.tone = tone
    }

    /// A time to the second, in Unix seconds.
    package init(exactly time: some BinaryInteger) {
        let time = Int64(clamping: time)
        self.init(Times.exact(time), value: Times.rfc3339(time))
    }

    /// A time as people say it: `in 2 days`.
    package init(relative time: some BinaryInteger, now: Int64) {
        let time = Int64(clamping: time)
        self.init(Times.relative(time, now: now), value: Times.rfc3339(time))
    }

    /// Text of another person: sanitised for people, untouched for scripts.
    package init(peer text: String, _ display: Display) {
        self.init(display.cell(text), value: text)
    }

    /// What the owner of the vault called something, who may type it or paste it back: sanitised, never cut.
    package init(own text: String, _ display: Display) {
        self.init(display.cell(text, columns: .max), value: text)
    }
}

/// A column of a table.
package struct Column: Equatable, Sendable {
    /// What happens to its cells where the window is too narrow for the row.
    package enum Fit: Equatable, Sendable {
        /// Nothing: names, commands, and whatever else is typed or compared.
        case whole
        /// They are cut in the middle, down to eight columns.
        case cut
        /// They go on in the next line.
        case wrapped
    }

    /// The heading, printed in upper case.
    package let title: String
    package let alignment: Alignment
    package let fit: Fit
    /// Which columns are left out of a narrow window: those with the highest number first, those with 0 never.
    package let spare: Int

    package init(_ title: String, _ alignment: Alignment = .left, _ fit: Fit = .cut, spare: Int = 0) {
        self.title = title
        self.alignment = alignment
        self.fit = fit
        self.spare = spare
    }
}

/// On which side of its column a cell stands.
package enum Alignment: Sendable {
    case left
    case right
}
