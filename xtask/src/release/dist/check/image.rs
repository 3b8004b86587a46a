//! The image: read by others' tools, and run as a container without rights, on a root that is read only.

use super::archive::unpack;
use super::job::Installed;
use super::network::Loopback;
use crate::process;
use crate::release::dist::image::{DATA, USER};
use crate::release::dist::machine::Machine;
use crate::release::dist::packages::{Packages, VERSION};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;

/// Unpacks it with umoci, runs it with runc, and works with it.
pub(super) fn check(packages: &Packages, machine: Machine) -> Result<()> {
    let image = packages.image(machine);
    let of_image = format!("oci-archive:{}:{VERSION}", image.display());
    let said = process::read(Command::new("skopeo").args(["inspect", &of_image]))?;
    let said: Value = serde_json::from_str(&said)?;
    println!("{said:#}");
    if said.pointer("/Architecture") != Some(&Value::from(machine.architecture())) {
        bail!("the image is not for {}", machine.architecture());
    }
    let folder = tempfile::tempdir()?;
    let (layout, bundle) = (folder.path().join("layout"), folder.path().join("bundle"));
    fs::create_dir(&layout)?;
    process::run(Command::new("tar").arg("-xf").arg(&image).arg("-C").arg(&layout))?;
    let mut umoci = Command::new("umoci");
    umoci.args(["unpack", "--image", &format!("{}:{VERSION}", layout.display())]);
    process::run(umoci.arg(&bundle))?;
    if !machine.is_here() {
        println!("not run: it is for machines of another kind");
        return Ok(());
    }

    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    chown(&data, Some(USER), Some(USER))?;
    let network = Loopback::make()?;
    let state = folder.path().join("state");
    confine(&bundle.join("config.json"), &network, &data)?;
    let runc = || {
        let mut command = Command::new("runc");
        command.arg("--root").arg(&state);
        command
    };
    let name = format!("concord-{}", std::process::id());
    let program = |args: &[&str]| {
        let mut command = runc();
        command.args(["exec", &name, "/usr/bin/concord"]).args(args);
        command
    };
    let mut serve = runc();
    serve.arg("run").arg("--bundle").arg(&bundle).arg(&name);
    let (_folder, client) = unpack(packages, machine)?;
    let installed =
        Installed { network: &network, serve, beside: &program, client: &|| Command::new(&client) };
    let done = installed.do_main_job();
    // Gone by itself if all went well.
    process::succeeds(runc().args(["delete", "--force", &name]));
    done?;
    if fs::read_dir(&data)?.count() == 0 {
        bail!("nothing was written into the volume");
    }
    Ok(())
}

/// As a careful host would run it: no capability, a root that is read only, a volume, and no network.
fn confine(config: &Path, network: &Loopback, data: &Path) -> Result<()> {
    let mut said: Value = serde_json::from_slice(&fs::read(config)?)?;
    if said.pointer("/process/user/uid") != Some(&Value::from(USER)) {
        bail!("the image does not run as {USER}: {said}");
    }
    let at = |pointer: &str| format!("the bundle has no {pointer}");
    let args = said.pointer_mut("/process/args").and_then(Value::as_array_mut);
    args.with_context(|| at("arguments"))?.push(json!("--print-json"));
    let process = said.pointer_mut("/process").and_then(Value::as_object_mut);
    let process = process.with_context(|| at("process"))?;
    process.insert("terminal".to_owned(), json!(false));
    process.insert("capabilities".to_owned(), json!({}));
    let root = said.pointer_mut("/root").and_then(Value::as_object_mut);
    root.with_context(|| at("root"))?.insert("readonly".to_owned(), json!(true));
    let mounts = said.pointer_mut("/mounts").and_then(Value::as_array_mut);
    let mounts = mounts.with_context(|| at("mounts"))?;
    mounts.retain(|mount| mount.pointer("/destination") != Some(&Value::from(DATA)));
    mounts.push(json!({
        "destination": DATA, "type": "bind", "source": data, "options": ["bind", "rw", "nodev"],
    }));
    mounts.push(json!({
        "destination": "/tmp", "type": "tmpfs", "source": "tmpfs",
        "options": ["nosuid", "nodev", "noexec", "mode=1777"],
    }));
    let namespaces = said.pointer_mut("/linux/namespaces").and_then(Value::as_array_mut);
    for namespace in namespaces.with_context(|| at("namespaces"))? {
        if namespace.pointer("/type") == Some(&Value::from("network")) {
            *namespace = json!({ "type": "network", "path": network.path() });
        }
    }
    fs::write(config, said.to_string())?;
    Ok(())
}
