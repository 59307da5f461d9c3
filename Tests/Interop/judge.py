"""What the second implementation says about one negative case.

`judge(case)` sets up exactly what the context names, takes the code, and returns the name of the refusal, or None
if nothing was refused. The format of a case is described in the header of the file of negative vectors.
"""

import hsip_xc1 as xc

hexed = bytes.fromhex


class GivenKeys:
    """The keys of an epoch as a context gives them."""

    def __init__(self, context: dict):
        self.rotate = hexed(context["rotate_key"])
        self.chain = hexed(context.get("chain", "00" * 32))
        self.reference = hexed(context["ref"])
        self.suite = context.get("epoch_suite", 1)


def _peer(context: dict) -> xc.Peer:
    peer = xc.Peer(hexed(context.get("own_seed", "00" * 32)), clock=lambda: context["now"], suite=2)
    if "pinned" in context:
        identity = hexed(context["pinned"])
        peer.contacts[identity] = xc.Contact(identity, "pinned", lowest_suite=context["lowest_suite"])
    return peer


def _secret(context: dict, name: str, kem_name: str) -> bytes:
    """A one-time secret of X25519 and what ML-KEM draws or keeps beside it."""
    return hexed(context[name] + context.get(kem_name, ""))


def _paired(context: dict) -> tuple[xc.Peer, xc.Pairing]:
    """A peer with one contact and one confirmed pairing in the epoch that the context gives."""
    peer = _peer(context)
    identity = hexed(context["author"])
    epoch = xc.Epoch(context["epoch"], GivenKeys(context), 0xFFFFFFFF, 1000)
    pairing = xc.Pairing(1 - context["author_role"], bytes(32), 0, 0, epoch, [], True)
    peer.contacts[identity] = xc.Contact(identity, "author", [pairing])
    return peer, pairing


def take_offer(context: dict, text: str):
    _peer(context).take_offer(text, ephemeral=_secret(context, "own_ephemeral", "own_kem_random"))


def take_answer(context: dict, text: str):
    peer = _peer(context)
    offer = xc.parse(hexed(context["offer"]))
    record = xc.OpenOffer(offer, _secret(context, "offer_secret", "offer_kem_seed"), None)
    peer.offers[offer.reference] = record
    if "first_answer" in context:
        first = xc.parse(hexed(context["first_answer"]))
        record.state, record.secret = "answered", None
        record.answered_by, record.answer = first.identity, first.encode()
    peer.take_answer(text)


def take_rotate(context: dict, text: str):
    _paired(context)[0].take_rotate(text, ephemeral=_secret(context, "own_ephemeral", "own_kem_random"))


def take_accept(context: dict, text: str):
    peer, pairing = _paired(context)
    pairing.out = xc.parse(hexed(context["rotate"]))
    pairing.out_secret = _secret(context, "rotate_secret", "rotate_kem_seed")
    peer.take_accept(text)


def take_revoke(context: dict, text: str):
    peer = _paired(context)[0] if "ref" in context else _peer(context)
    peer.take_revoke(text)


def verify(context: dict, text: str):
    xc.check_verify(xc.parse(xc.extract(text)), hexed(context["contact"]), hexed(context["own"]))


def message(context: dict, text: str):
    data = xc.parse_message(text)
    if data[1:33] == hexed(context["own_peerid"]):
        raise xc.HSIPError("ownMessage")
    if data[1:33] != hexed(context["contact_peerid"]):
        raise xc.HSIPError("unknownSender")
    try:
        xc.open_message(hexed(context["receive_key"]), data).decode("utf-8")
    except UnicodeDecodeError:
        raise xc.HSIPError("malformedMessage") from None


def legacy_key(_context: dict, key: str):
    xc.check_legacy_key(hexed(key))


ACTS = {
    "extract": lambda _context, text: xc.extract(text), "takeOffer": take_offer, "takeAnswer": take_answer,
    "takeRotate": take_rotate, "takeAccept": take_accept, "takeRevoke": take_revoke, "verify": verify,
    "message": message, "legacyKey": legacy_key,
}


def judge(case: dict) -> str | None:
    context = case["context"]
    try:
        ACTS[context["act"]](context, case["code"])
    except xc.HSIPError as error:
        return error.name
    return None


def swept(sweep: dict):
    """(position, case) for every case that a sweep stands for."""
    base = hexed(sweep["base"])
    text = xc.code_text(base)
    hrp = xc.KIND_NAMES[base[1]]
    for first, last, error in sweep["errors"]:
        for position in range(first, last + 1):
            if sweep["change"] == "byte":
                changed = bytearray(base)
                changed[position] ^= sweep["xor"]
                code = "HSIP:" + xc.bech32m_encode(hrp, bytes(changed)).upper()
            else:
                code = text[:position]
            yield position, {"code": code, "context": sweep["context"], "error": error}
