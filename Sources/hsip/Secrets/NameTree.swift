/// Names with slashes as the folders of a tree.
enum NameTree {
    /// One line for each folder and name, in the order of the names.
    static func lines(_ names: [String], isUTF8: Bool) -> [String] {
        let root = Node()
        for name in names { root.add(name.split(separator: "/", omittingEmptySubsequences: false)[...]) }
        return root.lines(isUTF8)
    }

    private final class Node {
        private var children: [(name: String, node: Node)] = []

        func add(_ parts: ArraySlice<Substring>) {
            guard let first = parts.first else { return }
            let name = String(first)
            let node: Node
            if let known = children.first(where: { $0.name == name }) {
                node = known.node
            } else {
                node = Node()
                children.append((name, node))
            }
            node.add(parts.dropFirst())
        }

        func lines(_ isUTF8: Bool, isTop: Bool = true) -> [String] {
            children.enumerated().flatMap { index, child in
                let isLast = index == children.count - 1
                let (branch, stem) =
                    isTop
                    ? ("", "")
                    : isUTF8
                        ? (isLast ? "└── " : "├── ", isLast ? "    " : "│   ")
                        : (isLast ? "`-- " : "|-- ", isLast ? "    " : "|   ")
                return [branch + child.name] + child.node.lines(isUTF8, isTop: false).map { stem + $0 }
            }
        }
    }
}
