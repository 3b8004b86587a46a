//! An image for containers that has the program and nothing else: a layout as the Open Container Initiative
//! describes it, in a tar that `podman load`, `skopeo` and `docker load` read.

use super::archive::{Tree, digest, gzip};
use super::machine::Machine;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::{fs, process::Command};

use crate::process;

/// Who runs in it: nobody's account.
pub(super) const USER: u32 = 10001;

/// The folder of its data, which is meant to be a volume.
pub(super) const DATA: &str = "/data";

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// The bytes of the tar.
pub(super) fn archive(
    binary: &Path,
    machine: Machine,
    version: &str,
    epoch: u64,
) -> Result<Vec<u8>> {
    let mut files = Tree::default();
    files.add("usr/bin/concord", 0o755, fs::read(binary)?);
    files.add("etc/passwd", 0o644, format!("concord:x:{USER}:{USER}::{DATA}:/usr/bin/concord\n"));
    files.add_folder(DATA.trim_start_matches('/'), 0o700, USER);
    // Uploads and exports wait here: a tmpfs, or a folder of the volume by TMPDIR.
    files.add_folder("tmp", 0o1777, 0);
    let tar = files.tar(epoch)?;
    let layer = gzip(&tar)?;
    let config = config(machine, version, &digest(&tar), &created(epoch)?).to_string();

    let mut layout = Tree::default();
    let mut blob = |kind: &str, content: &[u8]| -> Value {
        let digest = digest(content);
        layout.add(format!("blobs/sha256/{digest}"), 0o644, content);
        json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": content.len() })
    };
    let layer = blob(LAYER, &layer);
    let config = blob(CONFIG, config.as_bytes());
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
    });
    let mut manifest = blob(MANIFEST, manifest.to_string().as_bytes());
    let fields = manifest.as_object_mut().context("a descriptor is an object")?;
    fields.insert(
        "platform".to_owned(),
        json!({ "os": "linux", "architecture": machine.architecture() }),
    );
    fields.insert(
        "annotations".to_owned(),
        json!({
            "org.opencontainers.image.ref.name": version,
            "io.containerd.image.name": format!("docker.io/library/concord:{version}"),
        }),
    );
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest],
    });
    layout.add("index.json", 0o644, index.to_string());
    layout.add("oci-layout", 0o644, json!({ "imageLayoutVersion": "1.0.0" }).to_string());
    // The same for a Docker that is older than 25.
    let old = json!([{
        "Config": path(&config)?,
        "RepoTags": [format!("concord:{version}")],
        "Layers": [path(&layer)?],
    }]);
    layout.add("manifest.json", 0o644, old.to_string());
    layout.tar(epoch)
}

/// How it is started, and what it is.
fn config(machine: Machine, version: &str, layer: &str, created: &str) -> Value {
    json!({
        "created": created,
        "architecture": machine.architecture(),
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { "3000/tcp": {} },
            "Env": [
                "PATH=/usr/bin",
                format!("CONCORD_DATA_DIR={DATA}"),
                "CONCORD_BIND=0.0.0.0:3000",
            ],
            "Entrypoint": ["/usr/bin/concord"],
            "Cmd": ["serve"],
            "Volumes": { DATA: {} },
            "WorkingDir": DATA,
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Concord",
                "org.opencontainers.image.description":
                    "Text annotation with live inter-annotator agreement",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": created, "created_by": "cargo xtask dist" }],
    })
}

/// Where a descriptor's blob is.
fn path(descriptor: &Value) -> Result<String> {
    let digest = descriptor.get("digest").and_then(Value::as_str);
    let digest = digest.context("a descriptor has a digest")?;
    Ok(format!("blobs/{}", digest.replace(':', "/")))
}

/// A moment as images have it.
fn created(epoch: u64) -> Result<String> {
    let date = format!("--date=@{epoch}");
    let date = process::read(Command::new("date").args(["-u", &date, "+%FT%TZ"]))?;
    Ok(date.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{archive, digest};
    use crate::release::dist::machine::Machine;
    use serde_json::Value;
    use std::collections::BTreeMap;
    use std::fs;
    use std::io::Read;
    use tar::Archive;

    /// The files of a tar by their paths.
    fn files(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
        let mut archive = Archive::new(bytes);
        let entries = archive.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (path, content)
        });
        entries.collect()
    }

    #[test]
    fn every_blob_is_named_by_its_hash_and_leads_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let binary = dir.path().join("concord");
        fs::write(&binary, "program").unwrap();
        let image = archive(&binary, Machine::X86, "1.2.3", 1_700_000_000).unwrap();
        assert_eq!(image, archive(&binary, Machine::X86, "1.2.3", 1_700_000_000).unwrap());
        let layout = files(&image);
        for (path, content) in &layout {
            if let Some(hash) = path.strip_prefix("blobs/sha256/").filter(|hash| !hash.is_empty()) {
                assert_eq!(hash, digest(content));
            }
        }
        let blob = |descriptor: &Value| {
            let digest = descriptor["digest"].as_str().unwrap().replace(':', "/");
            let content = &layout[&format!("blobs/{digest}")];
            assert_eq!(descriptor["size"], content.len());
            content
        };
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        let index = json(&layout["index.json"]);
        let manifest = json(blob(&index["manifests"][0]));
        let config = json(blob(&manifest["config"]));
        assert_eq!(config["config"]["User"], "10001:10001");
        assert_eq!(config["created"], "2023-11-14T22:13:20Z");
        let mut layer = Vec::new();
        let packed = blob(&manifest["layers"][0]).as_slice();
        flate2::read::GzDecoder::new(packed).read_to_end(&mut layer).unwrap();
        assert_eq!(config["rootfs"]["diff_ids"][0], format!("sha256:{}", digest(&layer)));
        assert_eq!(files(&layer)["usr/bin/concord"], b"program");
    }
}
