/// Adds an ending to a name to distinguish it from another name.
package enum NumberedName {
    /// The name with an ending; a long name loses its last characters to make room.
    ///
    /// The result has at most `longest` bytes, unless the ending alone has more.
    package static func adding(_ ending: String, to name: String, longest: Int) -> String {
        guard name.utf8.count + ending.utf8.count > longest else { return name + ending }
        var kept = ""
        for letter in name {
            guard kept.utf8.count + letter.utf8.count + ending.utf8.count <= longest else { break }
            kept.append(letter)
        }
        return kept + ending
    }

    /// The first of NAME-2, NAME-3 … that is not in use.
    package static func first(like name: String, longest: Int, isTaken: (String) -> Bool) -> String {
        var number = 2
        while isTaken(adding("-\(number)", to: name, longest: longest)) { number += 1 }
        return adding("-\(number)", to: name, longest: longest)
    }
}
