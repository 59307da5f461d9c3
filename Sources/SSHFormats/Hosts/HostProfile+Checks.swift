/// What each text of a profile must be.
extension HostProfile {
    /// Text without white space around it.
    static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Any text on one line, or none.
    static func label(_ text: String) throws(SSHFormatError) -> String {
        let text = trimmed(text)
        guard text.utf8.count <= longestLabel, isPrintable(text) else { throw .badLabel }
        return text
    }

    /// A name that neither ssh nor a shell nor ssh_config reads as anything else.
    ///
    /// OpenSSH refuses less (`valid_ruser` in ssh.c); `%` and `\` are left out since newer ones expand them.
    static func user(_ text: String) throws(SSHFormatError) -> String {
        let text = trimmed(text)
        guard (1...longestUser).contains(text.utf8.count), text.utf8.first != 0x2D else { throw .badUser }
        let extra = Array("@+".utf8)
        guard text.utf8.allSatisfy({ HostName.isPlain($0) || extra.contains($0) }) else { throw .badUser }
        return text
    }

    /// The name of something in the vault; blank means none.
    static func reference(_ text: String?) throws(SSHFormatError) -> String? {
        guard let text = text.map(trimmed), !text.isEmpty else { return nil }
        guard text.utf8.count <= longestLabel, isPrintable(text) else { throw .badReference }
        return text
    }

    /// A path that begins at the root or the home folder, in letters that no shell reads.
    static func path(_ text: String) throws(SSHFormatError) -> String {
        let text = trimmed(text)
        guard text.utf8.count <= longestPath, text.hasPrefix("/") || text.hasPrefix("~/"),
            isPrintable(text)
        else { throw .badPath }
        let refused = Array("'\"`\\$&;|<>(){}[]*?!#%".utf8)
        guard !text.utf8.contains(where: refused.contains), !text.dropFirst().contains("~") else {
            throw .badPath
        }
        return text
    }

    /// Returns whether a text is one visible line: without controls, format characters (which are invisible or change the
    /// direction of text), line and paragraph separators, private and unassigned characters.
    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                false
            default: true
            }
        }
    }
}
