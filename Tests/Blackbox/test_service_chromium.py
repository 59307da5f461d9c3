"""Chromium keeps its key in the vault: it finds it again, waits for the passphrase, and never writes another one over it."""

import hashlib
import unittest

import chromium as cr
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from house import PASSPHRASE
from service_case import ServiceCase


def opened(sealed: bytes, key: bytes, domain: str = "example.org") -> bytes:
    """A cookie of Chromium on Linux by another implementation: version 11 is sealed with the key of the keyring."""
    if sealed[:3] != b"v11":
        raise AssertionError(f"not sealed with the key of the keyring: {sealed[:3]!r}")
    secret = hashlib.pbkdf2_hmac("sha1", key, b"saltysalt", 1, 16)
    cipher = Cipher(algorithms.AES(secret), modes.CBC(b" " * 16)).decryptor()
    text = cipher.update(sealed[3:]) + cipher.finalize()
    text = text[:-text[-1]]
    return text.removeprefix(hashlib.sha256(domain.encode()).digest())


@unittest.skipIf(cr.missing(), cr.missing())
class Browser(ServiceCase):
    def run_browser(self) -> cr.Chromium:
        browser = cr.Chromium(self.front, self.alice.path("files", "profile"))
        self.addCleanup(browser.end)
        return browser

    def keeps_a_cookie(self) -> dict:
        """A first run; its key, as the vault has it."""
        browser = self.run_browser()
        browser.keeps("first", "correct horse")
        browser.close()
        return self.key()

    def key(self) -> dict:
        """The one key that the browser has in the vault."""
        found, = self.ok(self.alice, "item", "list", "--no-agent", "--json").result["items"]
        self.assertEqual((found["label"], found["attributes"]["application"]), (cr.LABEL, "chromium"))
        shown = self.ok(self.alice, "item", "show", found["id"], "--no-agent", "--json").result
        value = self.ok(self.alice, "item", "get", found["id"], "--no-agent", "-y").data
        return {"id": found["id"], "owner": found["owner"], "versions": shown["versions"], "value": value}

    def test_a_second_run_reads_the_key_that_the_first_one_kept(self):
        browser = self.run_browser()
        browser.keeps("first", "correct horse")
        browser.close()
        sealed = browser.sealed()
        key = self.key()
        self.assertEqual(key["owner"], cr.PROGRAM)
        self.assertEqual(opened(sealed["first"], key["value"]), b"correct horse")
        browser = self.run_browser()
        self.assertEqual(browser.cookies(), {"first": "correct horse"})
        browser.close()
        self.assertEqual(self.key(), key)
        # It is its own key, which nobody is asked about.
        self.assertFalse(self.agent.askpass.was_asked())

    def test_with_a_locked_vault_it_waits_for_one_question(self):
        key = self.keeps_a_cookie()
        self.agent.lock()
        browser = self.run_browser()
        number = browser.asks_for_cookies()
        self.assertIn("“chromium” wants to use the vault", self.asked(PASSPHRASE))
        self.assertEqual(browser.cookies(number), {"first": "correct horse"})
        browser.keeps("second", "battery staple")
        browser.close()
        self.assertEqual(opened(browser.sealed()["second"], key["value"]), b"battery staple")
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.key(), key)

    def test_a_no_to_the_passphrase_leaves_its_key_as_it_was(self):
        key = self.keeps_a_cookie()
        self.agent.lock()
        browser = self.run_browser()
        number = browser.asks_for_cookies()
        self.asked("no")
        # What it cannot read it throws away, with any keyring.
        self.assertEqual(browser.cookies(number), {})
        browser.close()
        self.assertFalse(self.agent.askpass.was_asked())
        self.agent.unlock()
        self.assertEqual(self.key(), key)
        browser = self.run_browser()
        browser.keeps("third", "battery staple")
        browser.close()
        self.assertEqual(opened(browser.sealed()["third"], key["value"]), b"battery staple")
        self.assertEqual(self.key(), key)

    def test_a_key_that_is_nobodys_is_asked_about_once_and_its_own_from_then_on(self):
        key = self.keeps_a_cookie()
        self.ok(self.alice, "item", "set", key["id"], "--owner", "none", "--no-agent", "-y")
        browser = self.run_browser()
        number = browser.asks_for_cookies()
        self.assertIn("Let “chromium” read “Chromium Safe Storage”?", self.asked("always"))
        self.assertEqual(browser.cookies(number), {"first": "correct horse"})
        browser.close()
        self.assertEqual(self.key(), key)
        browser = self.run_browser()
        self.assertEqual(browser.cookies(), {"first": "correct horse"})
        browser.close()
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_no_to_a_key_that_is_nobodys_leaves_it_as_it_was(self):
        key = self.keeps_a_cookie()
        self.ok(self.alice, "item", "set", key["id"], "--owner", "none", "--no-agent", "-y")
        key["owner"] = None
        browser = self.run_browser()
        number = browser.asks_for_cookies()
        self.asked("no")
        self.assertEqual(browser.cookies(number), {})
        browser.close()
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.key(), key)


if __name__ == "__main__":
    unittest.main()
