"""Runs the cells of a notebook in its folder, as Jupyter does, and saves what they draw.

    python notebook.py NOTEBOOK PICTURES     prints the value of each cell that has one, a line each, as JSON
"""

import ast
import json
import os
import sys
from pathlib import Path


def value_of(cell, names):
    """Runs it. As in Jupyter its value is that of its last expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "cell", "eval"), names)


notebook, pictures = (Path(path).resolve() for path in sys.argv[1:])
os.chdir(notebook.parent)
sys.path.insert(0, str(notebook.parent))
names = {}
for cell in json.loads(notebook.read_text())["cells"]:
    if cell["cell_type"] == "code":
        print(json.dumps(value_of("".join(cell["source"]), names), default=str))
plt = names["plt"]
for number in plt.get_fignums():
    plt.figure(number).savefig(pictures / f"{number}.svg")
