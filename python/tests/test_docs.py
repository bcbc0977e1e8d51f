"""The examples of the documents print what stands there."""

import ast
import contextlib
import io
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from kosterhq_robotstxt.__main__ import main
from vectors import read

_examples = re.compile(r"```(python|sh)\n((?:(?!```).)*)```\n\n```text\n(.*?)```", re.DOTALL)


class TestDocuments(unittest.TestCase):
    def test_examples(self):
        count = 0
        for name in ("docs/python.md", "python/README.md"):
            text = read(name)
            for language, code, output in _examples.findall(text):
                self.assertEqual(self.run_example(language, code), output, code)
                count += 1
            for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
                compile(code, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        self.assertEqual(count, 4)

    def test_help(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(main(["--help"]), 0)
        self.assertTrue(out.getvalue().startswith("usage: "))

    def run_example(self, language, code):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, "example", "exec"), {})
            return out.getvalue()
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "robots.txt").write_text("User-agent: *\nDisallow: /cart\nAllow: /cart/help\n")
            _, *arguments = shlex.split(code)
            result = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    f"import sys; sys.path[:0] = {sys.path!r}; import runpy; sys.argv = {['x', *arguments[2:]]!r}; runpy.run_module('kosterhq_robotstxt', run_name='__main__')",
                ],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((result.stderr, result.returncode), ("", 1))
            return result.stdout


if __name__ == "__main__":
    unittest.main()
