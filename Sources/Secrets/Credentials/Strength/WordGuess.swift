internal import Glibc
internal import VaultCrypto

/// Guesses for common passwords, names, and the words of passphrases, also backwards.
enum WordGuess {
    private static let longest = 16

    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        var found: [Guess] = []
        for folding in Folding.allCases {
            var hash = Self.start
            var variation = Variation()
            for place in start..<min(end, start + longest) {
                let byte = text.byte(at: place)
                let letter = folding(byte)
                variation.add(byte, foldedTo: letter)
                hash = next(hash, letter)
                guard let bits = index[hash] else { continue }
                found.append(Guess(length: place - start + 1, bits: bits + variation.bits))
            }
        }
        return found
    }

    /// The bits of each word, by its hash; so a secret is never copied into a text for the search.
    ///
    /// Two words with equal hashes would at worst make one word look more common.
    private static let index: [UInt64: Double] = {
        var index: [UInt64: Double] = [:]
        func add(_ word: some Collection<UInt8>, _ bits: Double) {
            let hash = word.reduce(start, next)
            index[hash] = min(index[hash] ?? .infinity, bits)
        }
        for (rank, word) in CommonPasswords.list.enumerated() {
            let bits = log2(Double(rank + 1))
            add(word, bits)
            add(word.reversed(), bits + 1)
        }
        for number in 0..<Words.count {
            add(Words.word(number), 11)
            add(Words.word(number).reversed(), 12)
        }
        return index
    }()

    /// The start value of FNV-1a with 64 bits.
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

/// Passwords that many people use: the most common first, then names, months and other early guesses.
///
/// The list has a few hundred passwords; attackers have millions. Any other password is judged by its patterns.
enum CommonPasswords {
    /// The passwords in lower case.
    static let list = Array(text.utf8).split { $0 == 0x20 || $0 == 0x0A }

    private static let text = """
        123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123
        football monkey letmein shadow master qwertyuiop 123321 mustang 1234567890 michael 654321 superman
        1qaz2wsx 7777777 121212 000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter
        buster soccer harley batman andrew tigger sunshine iloveyou 2000 charlie robert thomas hockey
        ranger daniel starwars klaster 112233 george computer michelle jessica pepper 1111 zxcvbn 555555
        11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess joshua cheese amanda
        summer love ashley nicole chelsea matthew access yankees 987654321 dallas austin thunder taylor
        matrix minecraft william corvette hello martin heather secret merlin diamond 1234qwer hammer
        silver 222222 88888888 anthony justin test bailey q1w2e3r4t5 patrick internet scooter orange 11111
        golfer cookie richard samantha bigdog guitar jackson whatever mickey chicken sparky snoopy
        maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari samsung andrea smokey steelers
        joseph mercedes dakota arsenal eagles melissa boomer booboo spider nascar monster tigers yellow
        123123123 gateway marina diablo bulldog qwer1234 compaq purple banana junior hannah 123654 porsche
        lakers iceman money cowboys 987654 london tennis 999999 ncc1701 coffee scooby 0000 miller boston
        q1w2e3r4 brandon yamaha chester mother forever johnny edward 333333 oliver redsox player nikita
        knight fender barney midnight please brandy chicago slayer rangers charles angel flower rabbit
        wizard jasper enter rachel chris steven winner adidas victoria natasha 1q2w3e4r jasmine winter
        prince marine ghost fishing cocacola casper james 232323 raiders 888888 marlboro gandalf asdfasdf
        crystal 87654321 12344321 golden 8675309 panther lauren angela thx1138 angels madison winston
        shannon mike toyota jordan23 canada sophie apples tiger 123abc pokemon qazxsw 55555 qwaszx muffin
        johnson murphy cooper jonathan liverpoo david danielle 159357 jackie 1990 123456a 789456 turtle
        abcd1234 scorpion qazwsxedc 101010 butter carlos password1 dennis slipknot qwerty123 booger asdf
        1991 black startrek 12341234 cameron newyork rainbow nathan john 1992 rocket viking redskins
        asdfghjkl 1212 sierra peaches gemini doctor wilson sandra helpme qwertyui victor florida dolphin
        pookie captain tucker blue liverpool theman bandit dolphins maddog packers jaguar nicholas united
        tiffany maxwell zzzzzz nirvana jeremy stupid monica elephant giants admin administrator root toor
        guest user login passw0rd changeme default letmein1 welcome1 qwe123 p@ssw0rd admin123 test123
        root123 iloveu lovely babygirl loveme beautiful sweety friends family baby anna maria peter paul
        mary lisa sarah laura julia emma lucas leon felix max alex alexander sebastian christian stefan
        andreas markus klaus hans schatz passwort hallo geheim sommer fussball berlin hamburg deutschland
        bonjour soleil azerty motdepasse chouchou doudou loulou contrasena hola amor teamo mexico
        barcelona madrid google facebook twitter linkedin adobe123 github docker linux ubuntu debian
        windows apple android samsung1 dropbox amazon netflix january february march april may june july
        august september october november december monday tuesday wednesday thursday friday saturday
        sunday spring autumn fall company office server database backup temp temporary demo example sample
        private public security staple battery horse correct mypassword passphrase password123 password12
        passwords secret1 letme openup god jesus christ heaven blessed faith
        """
}
