"""Writes Schemas/vectors/negative-hsip-xc1.json: codes, messages and keys that must be refused, and how.

Every case is made honestly up to the one thing that is wrong with it: signatures, macs and checksums are right
unless they are what the case is about. Each expectation is written down here by hand and then held against the
second implementation. Run with:  python3 Tests/Interop/negative_vectors.py
"""

import base64
import json
import os
import sys
import unicodedata
from dataclasses import replace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hsip_xc1 as xc  # noqa: E402
import judge  # noqa: E402

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors",
                      "negative-hsip-xc1.json")

FORMAT = """\
Codes, messages and keys that must be refused. 'cases': each has a name, a code (what comes in: text as it would be \
pasted; for the act legacyKey the hex of a key), a context with everything that the decision needs, and the error, a \
name of the table of errors of HSIP-XC1. context.act says what is done with the code. extract: find the one code in \
the text and parse it; nothing else is needed. takeOffer: by the person with the identity seed own_seed, whose fresh \
ephemeral secret is own_ephemeral, at the wall clock now (Unix seconds); no contact and no other record exists. \
takeAnswer: by the author (own_seed) of 'offer' (bytes), whose ephemeral secret is offer_secret; with first_answer \
(bytes) that answer has been imported before and the offer's secret is gone. takeRotate, takeAccept and takeRevoke \
with ref: there is one contact with the identity key author and one confirmed pairing, whose only epoch has the \
number epoch, the name ref, the keys rotate_key and (where needed) chain; author_role is 0 if the author of the code \
is the pairing's offerer, 1 if its answerer. takeAccept: one's own live ROTATE is rotate (bytes) with the secret \
rotate_secret. takeRevoke without ref: nothing is known of anybody. verify: own and contact are identity keys. \
message: own_peerid and contact_peerid are the only ones known, receive_key the only key to try. legacyKey: import. \
'sweeps': many cases in one. change 'byte': for every position in first..last of each of 'errors' [first, last, \
error], that byte of base is XORed with xor, the code is written again with base's own HRP and a right checksum, and \
taken under the context. change 'cut': the text of base in upper case, cut to so many characters. Positions that are \
not named are not tested: there the order of the checks is free. Everything is in hex except texts, numbers of \
seconds and roles."""

ISSUED = 1767225600
NOW = ISSUED + 60
CURVE_P = 2 ** 255 - 19
ORDER_L = 2 ** 252 + 27742317777372353535851937790883648493

seedA, seedB, seedC = (bytes([value]) * 32 for value in (0xA1, 0xB2, 0xC3))
eA, eB, rA, rB, eC = (bytes([value]) * 32 for value in (0x11, 0x22, 0x33, 0x44, 0x55))
idA, idB, idC = map(xc.ed25519_public, (seedA, seedB, seedC))


# --- Builders: a right code with some fields of choice

def header(kind: str, **fields) -> xc.Header:
    given = {"issued": ISSUED, "ttl": 1440, "life": 168, "limit": 1000} | fields
    if kind == "revoke":
        given = {"issued": ISSUED} | fields
    return xc.Header(xc.KINDS[kind], **given)


def offer(seed=seedA, ephemeral=None, name=b"Alice", identity=None, **fields) -> xc.Offer:
    public = ephemeral or xc.x25519_public(eA)
    return xc.Offer(header("offer", **fields), identity or xc.ed25519_public(seed), public, name).signed(seed)


def resigned(answer: xc.Answer, seed: bytes, of=None) -> xc.Answer:
    answer = replace(answer, identity=xc.ed25519_public(seed))
    return replace(answer, signature=xc.ed25519_sign(seed, answer.signed_bytes((of or OFFER).hash)))


def answer(to=None, seed=seedB, ephemeral=eB, name=b"Bob", **fields) -> xc.Answer:
    return xc.make_answer(to or OFFER, header("answer", **fields), seed, ephemeral, name)[0]


OFFER = offer()
ANSWER, EPOCH0 = xc.make_answer(OFFER, header("answer"), seedB, eB, b"Bob")


def rotate(seed=seedA, role=0, ephemeral=None, attempt=1, keys=EPOCH0, **fields) -> xc.Rotate:
    given = {"ttl": 10080} | fields
    code = xc.Rotate(header("rotate", **given), EPOCH0.reference, 1, attempt, ephemeral or xc.x25519_public(rA))
    return code.signed(keys.rotate, role, seed)


ROTATE = rotate()


def accept(to=None, seed=seedB, ephemeral=rB, chain=EPOCH0.chain, **fields) -> xc.Accept:
    return xc.make_accept(to or ROTATE, header("accept", **({"ttl": 10080} | fields)), seed, ephemeral, chain)[0]


ACCEPT = accept()


def session_revoke(seed=seedA, role=0, reason=1, keys=EPOCH0, **fields) -> xc.Revoke:
    return xc.Revoke(header("revoke", **fields), 0, reason, EPOCH0.reference, 0).signed(seed, keys.rotate, role)


def identity_revoke(seed=seedA, reason=2, **fields) -> xc.Revoke:
    return xc.Revoke(header("revoke", **fields), 1, reason, identity=xc.ed25519_public(seed)).signed(seed)


VERIFY = xc.verify_code(idA, idB)
BUILDERS = {"offer": offer, "answer": answer, "rotate": rotate, "accept": accept,
            "revoke-session": session_revoke, "revoke-identity": identity_revoke}
RIGHT = {"offer": OFFER, "answer": ANSWER, "rotate": ROTATE, "accept": ACCEPT,
         "revoke-session": session_revoke(), "revoke-identity": identity_revoke(), "verify": VERIFY}


def text(code) -> str:
    return xc.code_text(code.encode())


def raw_text(data: bytes, hrp: str | None = None, **how) -> str:
    return "HSIP:" + xc.bech32m_encode(hrp or xc.KIND_NAMES[data[1]], data, **how).upper()


# --- Contexts

EXTRACT = {"act": "extract"}
AT_BOB = {"act": "takeOffer", "now": NOW, "own_seed": seedB.hex(), "own_ephemeral": eB.hex()}
AT_ALICE = {"act": "takeAnswer", "now": NOW, "own_seed": seedA.hex(), "offer": OFFER.encode().hex(),
            "offer_secret": eA.hex()}
PAIRED = {"now": NOW, "epoch": 0, "ref": EPOCH0.reference.hex(), "rotate_key": EPOCH0.rotate.hex()}
ROTATE_AT_BOB = {"act": "takeRotate", **PAIRED, "own_seed": seedB.hex(), "author": idA.hex(), "author_role": 0,
                 "chain": EPOCH0.chain.hex(), "own_ephemeral": rB.hex()}
ACCEPT_AT_ALICE = {"act": "takeAccept", **PAIRED, "own_seed": seedA.hex(), "author": idB.hex(), "author_role": 1,
                   "chain": EPOCH0.chain.hex(), "rotate": ROTATE.encode().hex(), "rotate_secret": rA.hex()}
REVOKE_AT_BOB = {"act": "takeRevoke", **PAIRED, "author": idA.hex(), "author_role": 0}
IDENTITY_REVOKE = {"act": "takeRevoke", "now": NOW}
VERIFY_AT_BOB = {"act": "verify", "contact": idA.hex(), "own": idB.hex()}
MESSAGE_AT_BOB = {"act": "message", "own_peerid": xc.peer_id(idB).hex(), "contact_peerid": xc.peer_id(idA).hex(),
                  "receive_key": EPOCH0.i2r.hex()}
CONTEXTS = {"offer": AT_BOB, "answer": AT_ALICE, "rotate": ROTATE_AT_BOB, "accept": ACCEPT_AT_ALICE,
            "revoke-session": REVOKE_AT_BOB, "revoke-identity": IDENTITY_REVOKE, "verify": VERIFY_AT_BOB}

CASES = []


def case(name: str, code: str, error: str, context: dict = EXTRACT, **changes):
    CASES.append({"name": name, "code": code, "context": context | changes, "error": error})


# --- The text form

def text_cases():
    right = text(OFFER)
    case("empty text", "", "noCode")
    case("no code in the text", "Shall we pair tonight?", "noCode")
    case("the scheme alone", "HSIP:", "noCode")
    case("an unknown name of a code", right.replace("OFFER", "OFFERS"), "noCode")
    case("a reserved name of a code", right.replace("OFFER", "REBIND"), "noCode")
    case("no separator behind the name", right.replace("OFFER1", "OFFER"), "noCode")
    case("a letter before the code", "x" + right, "noCode")
    case("a digit before the code", "7" + right, "noCode")
    case("a long s in the scheme", right.replace("HSIP", "H\u017fIP"), "noCode")
    case("full-width letters", right.replace("HSIP", "\uff28\uff33\uff29\uff30"), "noCode")
    case("a dotless i in the scheme", right.lower().replace("hsip", "hs\u0131p"), "noCode")
    for kind, code in RIGHT.items():
        whole = text(code)
        case(f"{kind}: one letter glued on", whole + "q", "malformed")
        case(f"{kind}: one digit glued on", whole.lower() + "0", "malformed")
        case(f"{kind}: a letter that is no bech32 letter glued on", whole + "b", "malformed")
        case(f"{kind}: the last letter cut off", whole[:-1], "truncated")
        case(f"{kind}: cut in the middle, words behind", whole[:60] + "\u2026 (more)", "truncated")
        case(f"{kind}: a letter that is no bech32 letter inside", whole[:40] + "B" + whole[41:], "truncated")
        case(f"{kind}: a full stop inside", whole[:50] + "." + whole[50:], "truncated")
        wrong = "P" if whole[30] != "P" else "Z"
        case(f"{kind}: one wrong letter", whole[:30] + wrong + whole[31:], "malformed")
        swap = next(i for i in range(31, 60) if whole[i] != whole[i + 1])
        case(f"{kind}: two letters swapped", whole[:swap] + whole[swap + 1] + whole[swap] + whole[swap + 2:],
             "malformed")
        case(f"{kind}: checksum of the older bech32", raw_text(code.encode(), constant=xc.BECH32_CONSTANT),
             "malformed")
        spare = -8 * len(code.encode()) % 5
        if spare:
            case(f"{kind}: lowest pad bit set", raw_text(code.encode(), pad=1), "malformed")
        if spare > 1:
            case(f"{kind}: highest pad bit set", raw_text(code.encode(), pad=1 << spare - 1), "malformed")
        case(f"{kind}: one byte more", raw_text(code.encode() + b"\0"), "malformed")
        shorter = code.encode()[:-1]
        case(f"{kind}: one byte less", raw_text(shorter), "truncated")
    for kind, other in (("offer", "answer"), ("rotate", "accept"), ("accept", "rotate"), ("answer", "offer"),
                        ("revoke-session", "verify"), ("verify", "revoke")):
        data = bytearray(RIGHT[kind].encode())
        data[1] = xc.KINDS[other]
        case(f"the name says {kind}, the kind byte says {other}",
             raw_text(bytes(data), hrp=kind.split("-")[0]), "malformed")
    for kind in (0, 7, 255):
        data = bytearray(OFFER.encode())
        data[1] = kind
        case(f"offer with the kind byte {kind}", raw_text(bytes(data), hrp="offer"), "malformed")
    case("two different codes", text(OFFER) + "\n" + text(ANSWER), "severalCodes")
    case("two different offers", text(OFFER) + " or " + text(offer(name=b"Al")), "severalCodes")
    for link in ("hsip://add?id=AAAA&name=Bob", "hsip://exchange?peer=x&pubkey=y", "hsip://peer/abc",
                 "hsip://m/abc123", "hsip://decrypt?id=abc123", "HSIP://ADD?id=AAAA"):
        case(f"an old link: {link}", f"see {link} please", "legacyLink")


# --- Header fields and ranges

def field_cases():
    for kind, build in BUILDERS.items():
        for suite in (0, 3, 255):
            case(f"{kind}: suite {suite:02x}", text(build(suite=suite)), "unsupportedSuite")
        # A code of suite 02 is longer: the KEM field is missing here.
        case(f"{kind}: suite 02", text(build(suite=2)), "unsupportedSuite" if kind.startswith("revoke") else "truncated")
        for version in (0, 2):
            case(f"{kind}: version {version:02x}", raw_text(build(version=version).encode()), "unsupportedVersion")
        for bit in range(8):
            if (kind, bit) != ("offer", 1):
                case(f"{kind}: flag bit {bit}", text(build(flags=1 << bit)),
                     "unsupportedFlag" if bit else "singleKeyRefused")
        if kind.startswith("revoke"):
            for name in ("ttl", "life", "limit"):
                case(f"{kind}: {name} 1", text(build(**{name: 1})), "malformed")
            case(f"{kind}: reason 4", text(build(reason=4)), "malformed")
            case(f"{kind}: reason 255", text(build(reason=255)), "malformed")
        else:
            for name, values in (("ttl", (0, 10081, 65535)), ("life", (0, 721, 65535)), ("limit", (0, 1001, 65535))):
                for value in values:
                    case(f"{kind}: {name} {value}", text(build(**{name: value})), "malformed")
    for version in (0, 2):
        case(f"verify: version {version:02x}", raw_text(bytes([version]) + VERIFY.encode()[1:]),
             "unsupportedVersion")
    case("rotate: attempt 0", text(rotate(attempt=0)), "malformed")
    for scope in (2, 255):
        data = bytearray(RIGHT["revoke-session"].encode())
        data[14] = scope
        case(f"revoke: scope {scope}", raw_text(bytes(data)), "malformed")


def name_cases():
    points = (0x00, 0x07, 0x0A, 0x1F, 0x7F, 0x85, 0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
              0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF, 0xFFF9, 0xFFFB, 0xE0000, 0xE0041, 0xE007F)
    bad = [(f"with U+{point:04X}", ("Al" + chr(point) + "ice").encode()) for point in points]
    bad += [("41 bytes long", b"n" * 41), ("255 bytes long", b"n" * 255),
            ("not in NFC", unicodedata.normalize("NFD", "Zo\u00eb").encode()),
            ("with a singleton that NFC replaces", "5 \u212b".encode()),
            ("in Latin-1", b"Zo\xeb"), ("with an overlong zero", b"A\xc0\x80"), ("with a surrogate", b"A\xed\xa0\x80"),
            ("cut inside a character", "Zo\u00eb".encode()[:-1]), ("beyond U+10FFFF", b"\xf4\x90\x80\x80")]
    for what, name in bad:
        case(f"offer: a name {what}", text(offer(name=name)), "malformed")
    for what, name in bad[:1] + bad[14:15] + bad[24:27]:
        case(f"answer: a name {what}", text(answer(name=name)), "malformed")


# --- Time

def time_cases():
    late = ISSUED + 1440 * 60 + 601
    for kind, build in (("offer", offer), ("answer", answer)):
        case(f"{kind}: 601 s from the future", text(build()), "codeFromFuture", CONTEXTS[kind], now=ISSUED - 601)
    for kind in ("rotate", "accept", "revoke-session", "revoke-identity"):
        case(f"{kind}: 601 s from the future", text(RIGHT[kind]), "codeFromFuture", CONTEXTS[kind],
             now=ISSUED - 601)
    case("offer: one second too late", text(OFFER), "codeExpired", AT_BOB, now=late)
    for kind in ("rotate", "accept"):
        case(f"{kind}: one second too late", text(BUILDERS[kind](ttl=1440)), "codeExpired", CONTEXTS[kind], now=late)
    case("answer: its epoch is over", text(answer(life=1)), "codeExpired", AT_ALICE, now=ISSUED + 3601)
    case("accept: its epoch is over", text(accept(life=1)), "codeExpired", ACCEPT_AT_ALICE, now=ISSUED + 3601)
    end = ISSUED + 1440 * 60
    case("answer: made 601 s after the end of the offer", text(answer(issued=end + 601)), "offerExpired", AT_ALICE,
         now=end + 601)


# --- Offers and answers

def low_order_points() -> list[bytes]:
    values = (0, 1, 325606250916557431795983626356110631294008115727848805560023387167927233504,
              39382357235489614581723060781553021112529911719440698176882885853963445705823,
              CURVE_P - 1, CURVE_P, CURVE_P + 1)
    return [(value | top << 255).to_bytes(32, "little") for top in (0, 1) for value in values]


def small_order_offer(identity: bytes, order: int) -> xc.Offer:
    """An offer whose signature would pass a verification that does not look at the order of the key."""
    for number in range(1, 1000):
        scalar = number.to_bytes(32, "little")
        commitment = xc.sodium.crypto_scalarmult_ed25519_base_noclamp(scalar)
        unsigned = replace(offer(identity=identity), signature=commitment + scalar)
        challenge = xc.hashlib.sha512(commitment + identity + unsigned.signed_bytes()).digest()
        if int.from_bytes(challenge, "little") % ORDER_L % order == 0:
            return unsigned
    raise AssertionError("no such offer")


def pairing_cases():
    for index, point in enumerate(low_order_points()):
        top = " with the top bit" if index >= 7 else ""
        case(f"offer: ephemeral key of low order {index % 7 + 1}{top}", text(offer(ephemeral=point)), "badKey", AT_BOB)
        code = resigned(replace(ANSWER, ephemeral=point), seedB)
        case(f"answer: ephemeral key of low order {index % 7 + 1}{top}", text(code), "badKey", AT_ALICE)
    same = resigned(replace(ANSWER, ephemeral=OFFER.ephemeral), seedB)
    case("answer: the ephemeral key of the offer", text(same), "badKey", AT_ALICE)
    case("offer: the ephemeral key of the one who takes it", text(offer(ephemeral=xc.x25519_public(eB))), "badKey",
         AT_BOB)
    case("offer: identity key of order 1", text(small_order_offer((1).to_bytes(32, "little"), 1)), "badSignature",
         AT_BOB)
    case("offer: identity key of order 2", text(small_order_offer((CURVE_P - 1).to_bytes(32, "little"), 2)),
         "badSignature", AT_BOB)
    greater = int.from_bytes(OFFER.signature[32:], "little") + ORDER_L
    case("offer: S + L in the signature", text(replace(OFFER, signature=OFFER.signature[:32]
                                                       + greater.to_bytes(32, "little"))), "badSignature", AT_BOB)
    case("offer: signature of another person", text(replace(OFFER, signature=offer(seedC).signature)),
         "badSignature", AT_BOB)
    case("offer: signature of another offer", text(replace(OFFER, signature=offer(name=b"Al").signature)),
         "badSignature", AT_BOB)
    case("offer: one's own identity", text(OFFER), "selfPairing", AT_BOB, own_seed=seedA.hex())

    flipped = replace(ANSWER, confirm=bytes([ANSWER.confirm[0] ^ 1]) + ANSWER.confirm[1:])
    case("answer: key confirmation flipped and signed again", text(resigned(flipped, seedB)), "confirmFailed", AT_ALICE)
    case("answer: key confirmation of zeros, signed", text(resigned(replace(ANSWER, confirm=bytes(16)), seedB)),
         "confirmFailed", AT_ALICE)
    case("answer: signed again by somebody else", text(resigned(ANSWER, seedC)), "confirmFailed", AT_ALICE)
    case("answer: another name, signed again by somebody else",
         text(resigned(replace(ANSWER, name=b"Carol"), seedC)), "confirmFailed", AT_ALICE)
    case("answer: key confirmation flipped, signature kept", text(flipped), "badSignature", AT_ALICE)
    for name, value in (("life", 167), ("limit", 999), ("ttl", 1441), ("issued", ISSUED + 1)):
        lowered = replace(ANSWER, header=replace(ANSWER.header, **{name: value}))
        case(f"answer: {name} changed on the way", text(lowered), "badSignature", AT_ALICE)
    case("answer: to an offer that nobody here made", text(answer(to=offer(seedC))), "unknownOffer", AT_ALICE)
    crossed = replace(answer(to=offer(seedC)), offer_reference=OFFER.reference)
    case("answer: to another offer, under this one's reference", text(crossed), "badSignature", AT_ALICE)
    case("answer: of the author of the offer", text(answer(seed=seedA)), "selfPairing", AT_ALICE)
    low = offer(life=100, limit=500)
    at_low = AT_ALICE | {"offer": low.encode().hex()}
    case("answer: life higher than offered", text(answer(to=low, life=101, limit=500)), "malformed", at_low)
    case("answer: limit higher than offered", text(answer(to=low, life=100, limit=501)), "malformed", at_low)
    taken = AT_ALICE | {"first_answer": ANSWER.encode().hex()}
    case("answer: a second one of the same person", text(answer(ephemeral=eC)), "offerAlreadyUsed", taken)
    case("answer: a second one of another person", text(answer(seed=seedC, ephemeral=eC)), "offerAlreadyUsed", taken)
    case("answer: a second one that is not signed", text(replace(ANSWER, signature=bytes(64), name=b"Bo")),
         "malformed", taken)


# --- Rotation and revocation

def rotation_cases():
    other = xc.Keys.first(bytes(32), bytes(32))
    at_bob, at_alice = ROTATE_AT_BOB, ACCEPT_AT_ALICE
    case("rotate: mac under another key", text(rotate(keys=other)), "badSignature", at_bob)
    case("rotate: by somebody without the identity key", text(rotate(seed=seedC)), "badSignature", at_bob)
    case("rotate: the role of the reader", text(rotate(role=1)), "badSignature", at_bob)
    case("rotate: one's own, reflected", text(rotate(seed=seedB, role=1)), "badSignature", at_bob)
    case("rotate: for an epoch that nobody knows", text(replace(ROTATE, reference=bytes(8))), "staleCode", at_bob)
    case("rotate: mac of zeros", text(replace(ROTATE, mac=bytes(16))), "badSignature", at_bob)
    for index in (0, 1, 4):
        point = low_order_points()[index]
        case(f"rotate: ephemeral key of low order {index + 1}", text(rotate(ephemeral=point)), "badKey", at_bob)
        code = replace(ACCEPT, ephemeral=point)
        signed = replace(code, signature=xc.ed25519_sign(seedB, code.signed_bytes(ROTATE)))
        case(f"accept: ephemeral key of low order {index + 1}", text(signed), "badKey", at_alice)
    case("accept: under another chain", text(accept(chain=bytes(32))), "badSignature", at_alice)
    case("accept: by somebody without the identity key", text(accept(seed=seedC)), "badSignature", at_alice)
    case("accept: of another rotate", text(accept(to=rotate(attempt=2))), "staleCode", at_alice)
    case("accept: for an epoch that nobody knows", text(replace(ACCEPT, reference=bytes(8))), "staleCode", at_alice)
    low = rotate(life=100, limit=500)
    at_low = at_alice | {"rotate": low.encode().hex()}
    case("accept: life higher than proposed", text(accept(to=low, life=101, limit=500)), "malformed", at_low)
    case("accept: limit higher than proposed", text(accept(to=low, life=100, limit=501)), "malformed", at_low)

    case("revoke: mac under another key", text(session_revoke(keys=other)), "badSignature", REVOKE_AT_BOB)
    case("revoke: by somebody without the identity key", text(session_revoke(seed=seedC)), "badSignature",
         REVOKE_AT_BOB)
    case("revoke: the role of the reader", text(session_revoke(role=1)), "badSignature", REVOKE_AT_BOB)
    case("revoke: one's own, reflected", text(session_revoke(seed=seedB, role=1)), "badSignature", REVOKE_AT_BOB)
    case("revoke: a session that nobody knows", text(replace(session_revoke(), reference=bytes(8))),
         "unknownSession", REVOKE_AT_BOB)
    forged = replace(identity_revoke(seedC), identity=idA)
    case("revoke: an identity, signed by somebody else", text(forged), "badSignature", IDENTITY_REVOKE)


def verify_cases():
    case("verify: first half of somebody else", text(xc.verify_code(idC, idB)), "verifyMismatch", VERIFY_AT_BOB)
    case("verify: made for somebody else", text(xc.verify_code(idA, idC)), "verifyNotForMe", VERIFY_AT_BOB)
    case("verify: halves exchanged", text(xc.verify_code(idB, idA)), "verifyMismatch", VERIFY_AT_BOB)


# --- Messages and imported keys

def message_cases():
    nonce, words = bytes(range(12)), b"at eight"
    right = xc.seal_message(EPOCH0.i2r, xc.peer_id(idA), nonce, words)

    def shown(data: bytes) -> str:
        return xc.LOCK + base64.b64encode(data).decode()

    compact = shown(right)
    case("message: none in the text", "nothing to see", "noMessage", MESSAGE_AT_BOB)
    case("message: 60 bytes", shown(right[:60]), "malformedMessage", MESSAGE_AT_BOB)
    case("message: version 02", shown(b"\x02" + right[1:]), "unsupportedVersion", MESSAGE_AT_BOB)
    case("message: version 00", shown(b"\x00" + right[1:]), "malformedMessage", MESSAGE_AT_BOB)
    loose = compact
    while not loose.endswith("=="):
        words += b"!"
        loose = shown(xc.seal_message(EPOCH0.i2r, xc.peer_id(idA), nonce, words))
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bent = loose[:-3] + alphabet[alphabet.index(loose[-3]) | 1] + "=="
    case("message: base64 with loose pad bits", bent, "malformedMessage", MESSAGE_AT_BOB)
    case("message: base64 without its padding", loose[:-2], "malformedMessage", MESSAGE_AT_BOB)
    case("message: base64 with one = of two", loose[:-1], "malformedMessage", MESSAGE_AT_BOB)
    case("message: base64 with padding too much", loose + "==", "malformedMessage", MESSAGE_AT_BOB)
    url = shown(xc.seal_message(EPOCH0.i2r, xc.peer_id(idA), b"\xfb\xff\xfe" * 4, words))
    assert "+" in url or "/" in url
    case("message: the alphabet of URLs", url.replace("+", "-").replace("/", "_"), "malformedMessage", MESSAGE_AT_BOB)
    for position, what in ((33, "nonce"), (45, "tag"), (61, "ciphertext")):
        data = bytearray(right)
        data[position] ^= 1
        case(f"message: {what} flipped", shown(bytes(data)), "cannotOpen", MESSAGE_AT_BOB)
    case("message: tag behind the ciphertext", shown(right[:45] + right[61:] + right[45:61]), "cannotOpen",
         MESSAGE_AT_BOB)
    case("message: other additional data", shown(right[:45] + _with_other_aad(nonce)), "cannotOpen", MESSAGE_AT_BOB)
    case("message: one's own", shown(right[:1] + xc.peer_id(idB) + right[33:]), "ownMessage", MESSAGE_AT_BOB)
    reflected = xc.seal_message(EPOCH0.r2i, xc.peer_id(idA), nonce, words)
    case("message: one's own with the contact's header", shown(reflected), "cannotOpen", MESSAGE_AT_BOB)
    case("message: the header of a stranger", shown(right[:1] + xc.peer_id(idC) + right[33:]), "unknownSender",
         MESSAGE_AT_BOB)
    case("message: plaintext that is not UTF-8",
         shown(xc.seal_message(EPOCH0.i2r, xc.peer_id(idA), nonce, b"\xff\xfe")), "malformedMessage", MESSAGE_AT_BOB)
    assert xc.open_message(EPOCH0.i2r, xc.parse_message(compact)) == b"at eight"
    for what, key in (("all zero", bytes(32)), ("all 42", bytes([42]) * 32), ("all ff", b"\xff" * 32)):
        case(f"legacy key: {what}", key.hex(), "keyRefused", {"act": "legacyKey"})


def _with_other_aad(nonce: bytes) -> bytes:
    sealed = xc.sodium.crypto_aead_chacha20poly1305_ietf_encrypt(b"at eight", b"HSIP-MSG-v1", nonce, EPOCH0.i2r)
    return sealed[-16:] + sealed[:-16]


# --- Sweeps

def sweeps() -> list[dict]:
    found = []

    def byte(kind: str, *errors, xor=1):
        found.append({"name": f"{kind}: every byte changed by {xor:02x}", "change": "byte", "xor": xor,
                      "base": RIGHT[kind].encode().hex(), "context": CONTEXTS[kind],
                      "errors": [list(error) for error in errors]})

    head = ((0, 0, "unsupportedVersion"), (1, 1, "malformed"), (2, 2, "unsupportedSuite"),
            (3, 3, "singleKeyRefused"))
    bad = "badSignature"
    end = len(OFFER.encode()) - 1
    byte("offer", *head, (4, 12, bad), (13, 13, "malformed"), (14, 77, bad), (78, 78, "malformed"), (79, end, bad))
    end = len(ANSWER.encode()) - 1
    byte("answer", *head, (4, 12, bad), (13, 13, "malformed"), (14, 29, "unknownOffer"), (30, 93, bad),
         (94, 94, "malformed"), (95, end, bad))
    byte("rotate", *head, (5, 8, bad), (9, 9, "malformed"), (10, 12, bad), (13, 13, "malformed"),
         (14, 21, "staleCode"), (26, 26, bad), (27, 27, "malformed"), (28, 139, bad))
    byte("accept", *head, (5, 8, bad), (9, 9, "malformed"), (12, 12, bad), (13, 13, "malformed"),
         (14, 21, "staleCode"), (26, 41, "staleCode"), (42, 153, bad))
    byte("revoke-session", *head, (4, 7, bad), (8, 13, "malformed"), (15, 15, bad), (16, 23, "unknownSession"),
         (28, 107, bad))
    byte("revoke-identity", *head, (4, 7, bad), (8, 13, "malformed"), (15, 111, bad))
    byte("verify", (0, 0, "unsupportedVersion"), (1, 1, "malformed"), (2, 33, "verifyMismatch"),
         (34, 65, "verifyNotForMe"))
    for kind, code in RIGHT.items():
        whole = text(code)
        start = whole.index("1") + 1
        found.append({"name": f"{kind}: cut after every letter", "change": "cut", "base": code.encode().hex(),
                      "context": EXTRACT, "errors": [[1, start - 1, "noCode"], [start, len(whole) - 1, "truncated"]]})
    return found


def main():
    for make in (text_cases, field_cases, name_cases, time_cases, pairing_cases, rotation_cases, verify_cases,
                 message_cases):
        make()
    names = [entry["name"] for entry in CASES]
    assert len(names) == len(set(names)), "every case has its own name"
    wrong = [(entry["name"], entry["error"], judge.judge(entry)) for entry in CASES
             if judge.judge(entry) != entry["error"]]
    every_sweep = sweeps()
    for sweep in every_sweep:
        wrong += [(sweep["name"], position, entry["error"], judge.judge(entry))
                  for position, entry in judge.swept(sweep) if judge.judge(entry) != entry["error"]]
    for line in wrong:
        print(*line, sep=" | ", file=sys.stderr)
    if wrong:
        sys.exit(1)
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write("{\n\"format\": " + json.dumps(FORMAT) + ",\n\"cases\": [\n")
        file.write(",\n".join(json.dumps(entry, ensure_ascii=True) for entry in CASES))
        file.write("\n],\n\"sweeps\": [\n")
        file.write(",\n".join(json.dumps(entry, ensure_ascii=True) for entry in every_sweep))
        file.write("\n]\n}\n")
    print(f"{len(CASES)} cases, {len(every_sweep)} sweeps, {os.path.getsize(TARGET)} bytes")


if __name__ == "__main__":
    main()
