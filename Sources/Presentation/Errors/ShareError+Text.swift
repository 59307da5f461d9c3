package import Secrets

extension ShareError: Worded {
    package var words: Failure.Words {
        switch self {
        case .shareWrong(.wordCount(let count)):
            (
                .shareWrong, "a share has \(ShareText.words) words, but this one has \(count)",
                "type all words of one share, in their order"
            )
        case .shareWrong(.unknownWord(let place)):
            (
                .shareWrong, "word \(place) is not in the list of words for shares",
                "compare the word with the paper"
            )
        case .shareWrong(.checksum):
            (.shareWrong, "one or more words are wrong", "compare each word, and their order, with the paper")
        case .shareWrong(.content), .shareWrong(.foreign):
            (.shareWrong, "this share does not belong to a vault", nil)
        case .sharesDiffer(let place):
            (
                .sharesDiffer, "share \(place) belongs to another set than the first share",
                "the first two words are the same in all shares of a set"
            )
        case .shareAgain(let place):
            (.sharesDiffer, "share \(place) was already given", "give another share: each share counts once")
        case .shareCount(let needed, let found):
            (.sharesDiffer, "\(needed) shares are needed, but only \(found) were given", nil)
        case .sharesWrong:
            (
                .sharesWrong, "the shares do not give the shared secret: one share was forged",
                "replace one share after the other, and try again"
            )
        case .badParameters:
            (
                .usage, "a secret can be shared among 2 to 16 people, and at least 2 of them must be needed",
                nil
            )
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}
