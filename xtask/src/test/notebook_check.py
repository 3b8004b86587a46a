"""Runs what docs/programs/notebook.md shows, as it stands there, and looks at what came of it.

CONCORD_URL, CONCORD_TOKEN and CONCORD_PROJECT say where: the first sample project of a demo.
"""

import pathlib
import re

root = pathlib.Path(__file__).parents[3]
page = (root / "docs/programs/notebook.md").read_text(encoding="utf-8")
blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
assert len(blocks) == 5, f"{len(blocks)} blocks of Python"
names: dict = {}
for block in blocks:
    exec(compile(block, "docs/programs/notebook.md", "exec"), names)

agreement, matrix = names["agreement"], names["matrix"]
assert len(agreement) == 3, agreement
# The worked example: labelers A and B under `cleaned`, κ = 17/29.
value = agreement.loc[("Labeler A", "Labeler B"), "value"]
assert abs(value - 17 / 29) < 1e-12, value
assert matrix.loc["Labeler A", "Labeler B"] == value
assert (agreement["lower"] < agreement["value"]).all()
assert names["counts"].groupby(["first_id", "second_id"])["count"].sum().tolist() == agreement["n"].tolist()

disagreements, said = names["disagreements"], names["said"]
assert len(disagreements) > 3, disagreements
lengths = disagreements["end"] - disagreements["start"]
assert (disagreements["quote"].str.len() == lengths).all()
assert {"name", "judgement", "labels"} <= set(said.columns), said.columns
assert set(said["name"]) == {"Labeler A", "Labeler B", "Reviewer"}, set(said["name"])
print(f"{len(agreement)} pairs, {len(disagreements)} disagreements")
