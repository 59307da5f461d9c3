package import Shares

extension ShareError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .shareWrong(.wordCount(let count)):
            (
                .shareWrong, "a share has \(ShareText.words) words, and this has \(count)",
                "all words of one share, in their order"
            )
        case .shareWrong(.unknownWord(let place)):
            (.shareWrong, "word \(place) is not one that a share has", "compare it with the paper")
        case .shareWrong(.checksum):
            (
                .shareWrong, "one or more words are not those that were written down",
                "compare each word, and their order, with the paper"
            )
        case .shareWrong(.content), .shareWrong(.foreign):
            (.shareWrong, "this is a share of something else than a vault", nil)
        case .sharesDiffer(let place):
            (
                .sharesDiffer, "share \(place) is not of the same set as the first one",
                "the first two words are the same in all shares of a set"
            )
        case .shareAgain(let place):
            (.sharesDiffer, "share \(place) was given before", "each share counts once; give another one")
        case .shareCount(let needed, let found):
            (.sharesDiffer, "\(needed) shares are needed, and \(found) are here", nil)
        case .sharesWrong:
            (
                .sharesWrong, "the shares do not give the secret that was shared: one of them was forged",
                "replace one share after the other by another one"
            )
        case .badParameters:
            (.usage, "a secret is shared among 2 to 16 people, and at least 2 of them are needed", nil)
        case .outOfMemory: (.outOfMemory, "no locked memory left", "ulimit -l")
        }
    }
}
