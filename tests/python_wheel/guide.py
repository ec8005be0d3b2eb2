"""Every block of Python of the guide's page and of the package's README runs."""

import os
import re
import textwrap
import unittest
from pathlib import Path

ROOT = Path(os.environ["TBAND_ROOT"])


class Blocks(unittest.TestCase):
    def test_blocks_run(self):
        page = (ROOT / "docs/src/guide/tables/python.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 4)
        for block in blocks:
            with self.subTest(block):
                exec(compile(block, "python.md", "exec"), {})

    def test_readme(self):
        page = (ROOT / "tband-python/README.md").read_text()
        names = {}
        blocks = [it for it in re.findall(r"(?:^    .*\n|^\n)+", page, re.MULTILINE) if "import" in it]
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            exec(compile(textwrap.dedent(block), "README.md", "exec"), names)


if __name__ == "__main__":
    unittest.main()
