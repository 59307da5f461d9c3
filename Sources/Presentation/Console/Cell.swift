package import Text

/// One cell of a table: the text for people, and the value for scripts.
package struct Cell: Equatable, Sendable {
    /// The text, safe to print on a terminal.
    package let shown: String
    /// The full, exact value.
    package let value: String
    package let tone: Tone

    /// Creates a cell from the program's own text.
    ///
    /// Scripts may get another value, such as an exact time for “in 2 days”.
    package init(_ shown: String, value: String? = nil, tone: Tone = .plain) {
        self.shown = shown
        self.value = value ?? shown
        self.tone = tone
    }

    /// Creates a time with seconds, from Unix seconds.
    package init(exactly time: some BinaryInteger) {
        let time = Int64(clamping: time)
        self.init(Times.exact(time), value: Times.rfc3339(time))
    }

    /// Creates a relative time: `in 2 days`.
    package init(relative time: some BinaryInteger, now: Int64) {
        let time = Int64(clamping: time)
        self.init(Times.relative(time, now: now), value: Times.rfc3339(time))
    }

    /// Creates a cell from another person's text: sanitised for people, unchanged for scripts.
    package init(peer text: String, _ display: Display) {
        self.init(display.cell(text), value: text)
    }

    /// Creates a cell from a name that the owner chose and may type or paste: sanitised, but never cut.
    package init(own text: String, _ display: Display) {
        self.init(display.cell(text, columns: .max), value: text)
    }
}

/// A column of a table.
package struct Column: Equatable, Sendable {
    /// The treatment of its cells if the window is too narrow for the row.
    package enum Fit: Equatable, Sendable {
        /// Keep: for names, commands, and other texts that people type or compare.
        case whole
        /// Cut in the middle, down to eight columns.
        case cut
        /// Wrap into the next line.
        case wrapped
    }

    /// The heading, printed in upper case.
    package let title: String
    package let alignment: Alignment
    package let fit: Fit
    /// The order in which columns are omitted from a narrow window: the highest number first, 0 never.
    package let spare: Int

    package init(_ title: String, _ alignment: Alignment = .left, _ fit: Fit = .cut, spare: Int = 0) {
        self.title = title
        self.alignment = alignment
        self.fit = fit
        self.spare = spare
    }
}

/// The alignment of a cell in its column.
package enum Alignment: Sendable {
    case left
    case right
}
