"""Asks a server for everything that its OpenAPI description has, as people of three roles, and holds
the answers against the description.

    python check.py <the binary `concord`> [examples for each operation]

The server is one of its own with the demo's projects. What is asked for is drawn with a fixed seed,
so two runs ask the same.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import requests

# The roles, by the names of the demo's people.
PEOPLE = ["Manager", "Reviewer", "Labeler A"]

SEED = "20261122"

# The answer to a request is one that is described, of a kind, with headers and of a shape that are
# described, and never that the server broke.
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]

# A stream has no end to wait for.
ENDLESS = "/api/v1/projects/{project}/events"


def main() -> int:
    binary = sys.argv[1]
    examples = sys.argv[2] if len(sys.argv) > 2 else "4"
    with tempfile.TemporaryDirectory(prefix="concord-schema-") as folder:
        data = str(Path(folder) / "data")
        server = subprocess.Popen(
            [binary, "serve", "--demo", "--print-json", "--bind", "127.0.0.1:0"]
            + ["--data-dir", data, "--api-requests", "1000000"],
            stdout=subprocess.PIPE,
        )
        try:
            assert server.stdout is not None
            started = json.loads(server.stdout.readline())
            failed = [
                name
                for name in PEOPLE
                if not conforms(binary, data, started, name, examples, Path(folder))
            ]
        finally:
            server.terminate()
            server.wait(30)
    for name in failed:
        print(f"what {name} is answered is not what is described")
    return 1 if failed else 0


def conforms(
    binary: str, data: str, started: dict, name: str, examples: str, folder: Path
) -> bool:
    """Whether everything that somebody is answered is as it is described."""
    email = next(it["email"] for it in started["sign_ins"] if it["name"] == name)
    token = subprocess.run(
        [binary, "token", "create", "--email", email, "--name", "schema"]
        + ["--scopes", "read,annotate,review,manage", "--data-dir", data],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    url = started["url"].rstrip("/")
    config = folder / f"{name}.toml"
    config.write_text(parameters(url, token))
    print(f"\n{name}", flush=True)
    run = [str(Path(sys.executable).with_name("schemathesis"))]
    run += ["--config-file", str(config), "run"]
    run += [f"{url}/api/v1/openapi.json", "--header", f"Authorization: Bearer {token}"]
    run += ["--checks", ",".join(CHECKS), "--exclude-path", ENDLESS, "--seed", SEED]
    run += ["--max-examples", examples, "--phases", "examples,coverage,fuzzing"]
    run += ["--warnings", "off", "--suppress-health-check", "all", "--no-shrink"]
    return subprocess.run(run, cwd=folder, check=False).returncode == 0


def parameters(url: str, token: str) -> str:
    """Ids that lead somewhere: drawn ones would be answered with 404 nearly always."""
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"

    def items(path: str) -> list[dict]:
        answer = session.get(f"{url}/api/v1/{path}", timeout=30)
        return answer.json()["items"] if answer.ok else []

    project = next(it["id"] for it in items("projects") if it["name"] == "Hamlet")
    found = {"path.project": project, "path.version": 1}
    documents = [it["id"] for it in items(f"projects/{project}/documents")]
    documents += [it["document"] for it in items(f"projects/{project}/reviews")]
    assignments = [it["id"] for it in items(f"projects/{project}/assignments")]
    found["path.document"] = next(iter(documents), 1)
    found["path.assignment"] = next(iter(assignments), 1)
    hooks = f"{url}/api/v1/projects/{project}/webhooks"
    # Nobody listens there.
    new = {"url": "http://127.0.0.1:9/hook", "events": ["gold.locked"]}
    hook = session.post(hooks, json=new, timeout=30).json().get("id", 1)
    sent = session.post(f"{hooks}/{hook}/test", timeout=30).json().get("delivery", 1)
    found |= {"path.webhook": hook, "path.delivery": sent}
    # What is taken away is not what everything else is asked about.
    here = f"{url}/api/v1/projects/{project}"
    label = {"name": "Taken away", "colour": 1, "hotkey": None}
    found["path.label"] = session.post(f"{here}/labels", json=label, timeout=30).json().get("id", 1)
    session.post(f"{here}/invitations", json={"role": "labeler"}, timeout=30)
    invitations = [it["id"] for it in items(f"projects/{project}/invitations")]
    members = [it for it in items(f"projects/{project}/members") if it["role"] == "manager"]
    found["path.invitation"] = next(iter(invitations), 1)
    found["path.member"] = next((it["id"] for it in members), 1)
    files = {"files": ("away.txt", "Taken away.", "text/plain")}
    session.post(f"{here}/imports?mode=commit&assign=nobody", files=files, timeout=30)
    documents = [it["id"] for it in items(f"projects/{project}/documents")]
    lines = [f'"{name}" = {value}' for name, value in found.items()]
    return (
        "[parameters]\n"
        + "\n".join(lines)
        + '\n\n[[operations]]\ninclude-name = '
        + '"DELETE /api/v1/projects/{project}/documents/{document}"\n'
        + f'parameters = {{ "path.project" = {project}, "path.document" = {max(documents, default=1)} }}\n'
    )


if __name__ == "__main__":
    sys.exit(main())
