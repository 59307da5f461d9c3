/// One of the three things that two people can compare.
enum VerificationForm {
    case code, number, words
}
