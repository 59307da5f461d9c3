"""One known-answer case of HSIP-XC1, computed from its inputs by the second implementation.

A case is what two honest people say to each other with every random choice fixed: an offer, an answer, one
rotation, both revocations, a verification code and a few messages.
"""

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
    alice = xc.Peer(secret["idA_seed"], inputs["nameA"], clock=lambda: issued)
    bob = xc.Peer(secret["idB_seed"], inputs["nameB"], clock=lambda: issued)

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
