"""Lints a packed chart and renders it, by Helm's own code, and looks at what Kubernetes would be given.

    python helm_check.py <the chart>
"""

import sys
import tempfile
from pathlib import Path

import helm_python as helm
import yaml

PACKED = sys.argv[1]
URL = {"publicUrl": "https://concord.example.org"}
SHARED = {
    "replicas": 3,
    "database": {"existingSecret": "concord-database"},
    "persistence": {"accessMode": "ReadWriteMany", "storageClass": "nfs"},
}


def render(values: dict) -> dict[str, dict]:
    """What a release is made of, by kind."""
    with helm.Chart.load(PACKED) as chart:
        files = chart.render(values, name="demo", namespace="prod")
    found = [it for name, text in files.items() if name.endswith(".yaml") for it in yaml.safe_load_all(text) if it]
    kinds = {it["kind"]: it for it in found}
    assert len(kinds) == len(found), files
    for it in found:
        assert it["metadata"]["name"] == "demo-concord", it
        assert it["metadata"]["labels"]["app.kubernetes.io/instance"] == "demo", it
    return kinds


def refused(values: dict, why: str) -> None:
    try:
        render(values)
    except helm.HelmError as error:
        assert why in str(error), error
    else:
        raise AssertionError(f"{values} is taken")


with tempfile.TemporaryDirectory() as folder:
    helm.expand(folder, PACKED)
    for values in [URL, URL | SHARED]:
        report = helm.lint(Path(folder) / "concord", values, strict=True)
        wrong = [it for it in report["messages"] if it["severity"] > 1]
        assert report["total_charts_linted"] == 1 and not wrong and not report["errors"], report

alone = render(URL)
assert set(alone) == {"Deployment", "PersistentVolumeClaim", "Service"}, set(alone)
assert alone["Deployment"]["spec"]["strategy"]["type"] == "Recreate"
pod = alone["Deployment"]["spec"]["template"]
assert pod["metadata"]["labels"].items() >= alone["Service"]["spec"]["selector"].items()
assert pod["metadata"]["labels"].items() >= alone["Deployment"]["spec"]["selector"]["matchLabels"].items()
assert pod["spec"]["securityContext"]["runAsNonRoot"] and not pod["spec"]["automountServiceAccountToken"]
assert pod["spec"]["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch"
[container] = pod["spec"]["containers"]
assert container["image"] == "concord:" + Path(PACKED).stem.removeprefix("concord-"), container["image"]
rights = container["securityContext"]
assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
assert rights["capabilities"] == {"drop": ["ALL"]}
variables = {it["name"]: it.get("value") for it in container["env"]}
assert variables["CONCORD_PUBLIC_URL"] == URL["publicUrl"]
assert "CONCORD_DATABASE_URL" not in variables
assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
mounted = {it["name"] for it in container["volumeMounts"]}
assert mounted == {it["name"] for it in pod["spec"]["volumes"]} == {"data", "tmp"}

several = render(
    URL
    | SHARED
    | {
        "settings": {"CONCORD_REQUIRE_SECOND_FACTOR": "true"},
        "metrics": {"enabled": True},
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate"},
        "allowFrom": [{"podSelector": {}}],
    }
)
assert set(several) == set(alone) | {"Ingress", "NetworkPolicy"}, set(several)
assert several["Deployment"]["spec"]["replicas"] == 3
assert several["Deployment"]["spec"]["strategy"]["type"] == "RollingUpdate"
[container] = several["Deployment"]["spec"]["template"]["spec"]["containers"]
variables = {it["name"]: it for it in container["env"]}
assert variables["CONCORD_DATABASE_URL"]["valueFrom"]["secretKeyRef"]["name"] == "concord-database"
assert variables["CONCORD_REQUIRE_SECOND_FACTOR"]["value"] == "true"
assert {it["name"] for it in container["ports"]} == {"http", "metrics"}
assert several["PersistentVolumeClaim"]["spec"]["accessModes"] == ["ReadWriteMany"]
assert several["Ingress"]["spec"]["rules"][0]["host"] == "concord.example.org"
assert several["Ingress"]["spec"]["tls"][0]["secretName"] == "certificate"
assert "PersistentVolumeClaim" not in render(URL | {"persistence": {"existingClaim": "mine"}})

refused({}, "publicUrl")
refused({"publicUrl": "concord.example.org"}, "publicUrl")
refused(URL | {"replicas": 2}, "PostgreSQL")
refused(URL | SHARED | {"persistence": {"accessMode": "ReadWriteOnce"}}, "ReadWriteMany")
refused(URL | {"sise": 1}, "sise")
refused(URL | {"settings": {"PATH": "/"}}, "PATH")
print("the chart is rendered as meant")
