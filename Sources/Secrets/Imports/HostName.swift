/// Finds the host in an address; it is the title of an entry that has none.
enum HostName {
    /// The host of an address: `example.org` for `https://user@example.org:8443/path`; other texts are returned unchanged.
    static func of(_ url: String) -> String {
        var rest = Substring(url)
        if let scheme = rest.range(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            return String(rest[...end])
        }
        let host = rest.prefix { $0 != ":" }
        return host.isEmpty ? url : String(host)
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
