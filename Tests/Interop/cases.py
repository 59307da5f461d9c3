"""One known-answer case of HSIP-XC1, computed from its inputs by the second implementation.

A case is what two honest people say to each other with every random choice fixed: an offer, an answer, one
rotation, both revocations, a verification code and a few messages. `story` is the other shape, of suite 02: any
number of rotations, two messages in each epoch, one revocation.
"""

from functools import partial

import hsip_xc1 as xc

UPSTREAM_KEY = bytes([42]) * 32
UPSTREAM_PEER = bytes([1]) * 32
UPSTREAM_TEXT = b"Hello, HSIP Keyboard!"


def _code(text: str) -> dict:
    return {"bytes": xc.extract(text).hex(), "code": text}


def _epoch(keys: xc.Keys) -> dict:
    return {
        "transcript": keys.transcript.hex(), "ss": keys.shared.hex(), "prk": keys.prk.hex(),
        "key_i2r": keys.i2r.hex(), "key_r2i": keys.r2i.hex(), "key_single": keys.single.hex(),
        "confirm": keys.confirm_key.hex(), "rotate": keys.rotate.hex(), "chain": keys.chain.hex(),
        "ref": keys.reference.hex(), "nonce_i2r": keys.nonce_i2r.hex(), "nonce_r2i": keys.nonce_r2i.hex(),
    }


def compute(inputs: dict, plaintext: bytes, nonce: bytes, hedge_random: bytes, hedge_counter: int) -> dict:
    """The whole case. Both people and their clocks are made from the inputs alone."""
    issued, ttl = inputs["issued"], inputs["ttl"]
    life, limit, reason = inputs["life_hours"], inputs["limit"], inputs["revoke_reason"]
    secret = {key: bytes.fromhex(inputs[key]) for key in ("idA_seed", "idB_seed", "eA", "eB", "rA", "rB")}
    alice = xc.Peer(secret["idA_seed"], inputs["nameA"], clock=lambda: issued, suite=1)
    bob = xc.Peer(secret["idB_seed"], inputs["nameB"], clock=lambda: issued, suite=1)

    offer = alice.make_offer(ttl=ttl, life=life, limit=limit, ephemeral=secret["eA"])
    answer = bob.take_offer(offer, save_as="A", ttl=ttl, ephemeral=secret["eB"])
    contact = alice.take_answer(answer, save_as="B")
    ours, theirs = contact.pairings[0], bob.contact("A").pairings[0]
    assert ours.cur.keys == theirs.cur.keys and ours.emoji == theirs.emoji
    epoch0 = ours.cur.keys

    compact = alice.seal("B", plaintext, nonce=nonce)
    assert bob.open(compact)[1].encode() == plaintext
    reply = bob.seal("A", plaintext, nonce=nonce)
    assert alice.open(reply)[1].encode() == plaintext
    message = {
        "plaintext": plaintext.hex(), "nonce": nonce.hex(),
        "i2r_bytes": xc.parse_message(compact).hex(), "i2r_compact": compact,
        "i2r_verbose": xc.format_message(xc.parse_message(compact), "verbose", "abc123"),
        "i2r_stealth": xc.format_message(xc.parse_message(compact), "stealth"),
        "r2i_compact": reply,
        "upstream_test_key42_peer1": xc.format_message(
            xc.seal_message(UPSTREAM_KEY, UPSTREAM_PEER, nonce, UPSTREAM_TEXT)),
        "hedged": {
            "random": hedge_random.hex(), "counter": hedge_counter, "nonce_key": epoch0.nonce_i2r.hex(),
            "nonce": xc.hedged_nonce(epoch0.nonce_i2r, hedge_random, hedge_counter, plaintext).hex(),
        },
    }

    rotate = alice.start_rotate("B", ttl=ttl, life=life, limit=limit, ephemeral=secret["rA"])
    accept = bob.take_rotate(rotate, ttl=ttl, ephemeral=secret["rB"])
    alice.take_accept(accept)
    bob.promote("A")
    assert ours.cur.keys == theirs.cur.keys
    epoch1 = ours.cur.keys

    return {
        "offer": _code(offer), "answer": _code(answer), "rotate": _code(rotate), "accept": _code(accept),
        "revoke_session": _code(alice.revoke_session("B", reason, keep=True)),
        "revoke_identity": _code(alice.revoke_identity(2)),
        "verify": _code(alice.verify_text("B")),
        "inputs": inputs,
        "identity": {
            "A_pk": alice.identity.hex(), "A_peerid": alice.peer_id.hex(),
            "A_peerid_text": xc.peer_id_text(alice.peer_id),
            "B_pk": bob.identity.hex(), "B_peerid": bob.peer_id.hex(),
            "B_peerid_text": xc.peer_id_text(bob.peer_id),
            "session_id_of_B": xc.session_id(bob.peer_id),
        },
        "epoch0": {**_epoch(epoch0), "emoji_index": ours.emoji, "emoji": xc.emoji_text(ours.emoji)},
        "epoch1": _epoch(epoch1),
        "safety_number": alice.safety_number("B"),
        "legacy_emoji_of_eA_eB": xc.legacy_emoji_indices(xc.x25519_public(secret["eA"]),
                                                         xc.x25519_public(secret["eB"])),
        "message": message,
    }


def _messages(first, second, inputs: list[dict]) -> list[dict]:
    """The first message of each side under its current epoch, in the order of the names; `first` sends first."""
    found = {}
    for sender, reader in ((first, second), (second, first)):
        given, = (message for message in inputs if message["from"] == sender.letter)
        random, data = bytes.fromhex(given["random"]), bytes.fromhex(given["plaintext"])
        text = sender.seal(reader.letter, data, random=random)
        assert reader.open(text)[1].encode() == data
        found[sender.letter] = {
            "from": sender.letter, "plaintext": data.hex(), "random": random.hex(),
            "counter": sender.contact(reader.letter).sending_pairing().cur.sent,
            "nonce": xc.parse_message(text)[33:45].hex(), "text": text,
        }
    return [found[letter] for letter in sorted(found)]


def _story_epoch(first, second, inputs: list[dict]) -> dict:
    messages = _messages(first, second, inputs)
    ours, theirs = (peer.contact(other.letter).pairings[0].cur for peer, other in ((first, second), (second, first)))
    assert ours.keys == theirs.keys and ours.number == theirs.number
    return {"number": ours.number, "suite": ours.keys.suite, **_epoch(ours.keys),
            "kem_secret": ours.keys.kem.hex(), "messages": messages}


def _kem_fields(public: str, ciphertext: str) -> dict:
    return {name: xc.parse(xc.extract(text)).kem.hex()
            for name, text in (("kem_public", public), ("kem_ciphertext", ciphertext))}


def story(case: dict) -> dict:
    """The whole story. Only its inputs are read, and of its messages sender, plaintext and randomness."""
    inputs, now = case["inputs"], [case["inputs"]["issued"]]
    alice, bob = (xc.Peer(bytes.fromhex(inputs[f"id{letter}_seed"]), inputs[f"name{letter}"], clock=lambda: now[0],
                          suite=inputs["suite"]) for letter in "AB")
    alice.letter, bob.letter = "A", "B"
    terms = {"ttl": inputs["ttl"], "life": inputs["life_hours"], "limit": inputs["limit"]}
    offer = alice.make_offer(**terms, fresh=inputs["fresh"], ephemeral=bytes.fromhex(inputs["eA"] + inputs["kem_seed"]))
    answer = bob.take_offer(offer, save_as="A", **terms, ephemeral=bytes.fromhex(inputs["eB"] + inputs["kem_random"]))
    contact = alice.take_answer(answer, save_as="B")
    emoji = contact.pairings[0].emoji
    assert emoji == bob.contact("A").pairings[0].emoji
    epoch0 = _story_epoch(alice, bob, case["epoch0"]["messages"])

    rotations = []
    for rotation in case["rotations"]:
        given = rotation["inputs"]
        one, two = (alice, bob) if given["by"] == "A" else (bob, alice)
        pairing = one.contact(two.letter).pairings[0]
        assert pairing.role == given["role"]
        # An update of both programs, where the suite is another one than before.
        alice.suite = bob.suite = given["suite"]
        pairing.seen_attempt = given["attempt"] - 1

        def made(kind: str, act, x25519: str, kem: str) -> str:
            now[0] = given[kind]["issued"]
            return act(ttl=given[kind]["ttl"], life=given[kind]["life_hours"], limit=given[kind]["limit"],
                       ephemeral=bytes.fromhex(given[x25519] + given[kem]))

        rotate = made("rotate", partial(one.start_rotate, two.letter), "eI", "kem_seed")
        accept = made("accept", partial(two.take_rotate, rotate), "eR", "kem_random")
        one.take_accept(accept)
        rotations.append({"inputs": given, "rotate": _code(rotate), "accept": _code(accept),
                          **_kem_fields(rotate, accept),
                          "epoch": _story_epoch(one, two, rotation["epoch"]["messages"])})

    return {
        "name": case["name"], "inputs": inputs,
        "identity": {"A_pk": alice.identity.hex(), "A_peerid": alice.peer_id.hex(),
                     "B_pk": bob.identity.hex(), "B_peerid": bob.peer_id.hex()},
        "offer": _code(offer), "answer": _code(answer), **_kem_fields(offer, answer),
        "epoch0": {**epoch0, "emoji_index": emoji, "emoji": xc.emoji_text(emoji)}, "rotations": rotations,
        "revoke_session": _code(alice.revoke_session("B", inputs["revoke_reason"], issued=inputs["issued"])),
    }
