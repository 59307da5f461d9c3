"""What two machines did to one record is kept until a person settles it."""

from house import Person, unittest
from sync_case import SyncCase


class Conflicts(SyncCase):
    """What two machines did apart is kept until a person settles it."""

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db/prod", "first")
        self.together()

    def conflicts(self, person: Person) -> list[tuple]:
        found = self.ok(person, "sync", "conflicts", "--json").result["conflicts"]
        return [(one["name"], one["reason"], one["other"], one["machine"]) for one in found]

    def test_a_secret_that_both_changed(self):
        self.put(self.alice, "db/prod", "of laptop")
        self.put(self.bob, "db/prod", "of desktop")
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["conflicts"], ["db/prod"])
        self.assertEqual(self.conflicts(self.bob), [("db/prod", "bothChanged", None, "laptop")])
        self.assertEqual(self.conflicts(self.alice), [])
        self.assertEqual(self.ok(self.bob, "status", "--json").result["machines"]["conflicts"], 1)
        self.assertIn("db/prod\tsecret\tchanged on both machines\tlaptop\t", self.ok(self.bob, "sync", "conflicts").output)
        found = self.bob.run("doctor", "--json").result["findings"]
        self.assertIn(("machines", "1 conflict between your machines to settle", "hsip sync conflicts"),
                      [(one["check"], one["message"], one["hint"]) for one in found])
        settled = self.ok(self.bob, "sync", "settle", "db/prod", "--theirs", "--json").result
        self.assertEqual([one["name"] for one in settled["conflicts"]], ["db/prod"])
        self.assertEqual(self.value(self.bob, "db/prod"), "of laptop")
        self.sync(self.bob)
        self.assertEqual(self.sync(self.alice)["conflicts"], [])
        self.assertEqual(self.value(self.alice, "db/prod"), "of laptop")
        versions = self.ok(self.alice, "secret", "show", "db/prod", "--json").result["versions"]
        self.assertEqual(len(versions), 4)
        self.refused("noConflict", self.bob, "sync", "settle", "db/prod", "--theirs")
        self.refused("usage", self.bob, "sync", "settle", "db/prod")

    def test_a_name_that_means_another_secret_now(self):
        self.put(self.alice, "mail", "of laptop")
        self.put(self.bob, "mail", "of desktop")
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["renamed"], [{"from": "mail", "to": "mail-2"}])
        got = self.ok(self.bob, "secret", "get", "mail", "--json")
        self.assertEqual(got.result["value"], "of laptop")
        self.assertEqual(got.warnings, ["nameMeansOther"])
        # Programs see no warning.
        ran = self.bob.run("run", "--", "true", MAIL="vault:mail")
        self.assertEqual(ran.code, 125)
        self.assertIn("means another secret than before", ran.talk)
        self.ok(self.bob, "sync", "settle", "mail-2", "--mine")
        self.assertEqual(self.value(self.bob, "mail"), "of desktop")
        self.assertEqual(self.value(self.bob, "mail-2"), "of laptop")
        self.sync(self.bob)
        came = self.sync(self.alice)
        self.assertEqual((came["conflicts"], came["renamed"]), ([], []))
        self.assertEqual(self.value(self.alice, "mail"), "of desktop")
        self.assertEqual(self.names(self.alice), self.names(self.bob))


if __name__ == "__main__":
    unittest.main()
