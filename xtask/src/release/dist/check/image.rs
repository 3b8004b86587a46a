//! The image: read by others' tools, and run as a container without rights, on a root that is read only.

use super::archive::unpack;
use super::job::Installed;
use super::network::Loopback;
use crate::process;
use crate::release::dist::image::{DATA, USER};
use crate::release::dist::machine::Machine;
use crate::release::dist::packages::{Packages, VERSION};
use crate::test::postgres::Postgres;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

/// Where a container finds the socket of PostgreSQL.
const SOCKET: &str = "/run/postgresql";

/// Reads it with skopeo, unpacks it with umoci, and works with it on both databases.
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
    let (_folder, client) = unpack(packages, machine)?;
    println!("with SQLite");
    run(&bundle, &client, None)?;
    println!("with PostgreSQL");
    let postgres = Postgres::start()?;
    // The container's user is neither ours nor PostgreSQL's.
    fs::set_permissions(postgres.folder(), fs::Permissions::from_mode(0o755))?;
    run(&bundle, &client, Some(postgres.folder()))
}

/// Runs a bundle by runc, and works with it; PostgreSQL is at a socket in the folder.
fn run(bundle: &Path, client: &Path, postgres: Option<&Path>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (data, state) = (folder.path().join("data"), folder.path().join("state"));
    fs::create_dir(&data)?;
    chown(&data, Some(USER), Some(USER))?;
    let network = Loopback::make()?;
    let (config, given) = (bundle.join("config.json"), bundle.join("given.json"));
    if !given.exists() {
        fs::rename(&config, &given)?;
    }
    let given: Value = serde_json::from_slice(&fs::read(given)?)?;
    fs::write(config, confined(given, &network, &data, postgres)?.to_string())?;
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
    serve.arg("run").arg("--bundle").arg(bundle).arg(&name);
    let installed =
        Installed { network: &network, serve, beside: &program, client: &|| Command::new(client) };
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
fn confined(
    mut config: Value,
    network: &Loopback,
    data: &Path,
    postgres: Option<&Path>,
) -> Result<Value> {
    if config.pointer("/process/user/uid") != Some(&Value::from(USER)) {
        bail!("the image does not run as {USER}: {config}");
    }
    let mut list = |pointer: &str, change: &dyn Fn(&mut Vec<Value>)| -> Result<()> {
        let list = config.pointer_mut(pointer).and_then(Value::as_array_mut);
        change(list.with_context(|| format!("the bundle has no {pointer}"))?);
        Ok(())
    };
    let bind = |source: &Path, destination: &str| {
        json!({
            "destination": destination, "type": "bind", "source": source.display().to_string(),
            "options": ["bind", "rw", "nodev"],
        })
    };
    list("/process/args", &|args| args.push(json!("--print-json")))?;
    list("/mounts", &|mounts| {
        mounts.retain(|mount| mount.pointer("/destination") != Some(&Value::from(DATA)));
        mounts.push(bind(data, DATA));
        mounts.push(json!({
            "destination": "/tmp", "type": "tmpfs", "source": "tmpfs",
            "options": ["nosuid", "nodev", "noexec", "mode=1777"],
        }));
        mounts.extend(postgres.map(|folder| bind(folder, SOCKET)));
    })?;
    if postgres.is_some() {
        let url = format!("postgres://postgres@localhost/postgres?host={SOCKET}");
        list("/process/env", &|env| env.push(json!(format!("CONCORD_DATABASE_URL={url}"))))?;
    }
    list("/linux/namespaces", &|namespaces| {
        namespaces.retain(|one| one.pointer("/type") != Some(&Value::from("network")));
        namespaces.push(json!({ "type": "network", "path": network.path() }));
    })?;
    for (pointer, value) in [
        ("/process/terminal", json!(false)),
        ("/process/capabilities", json!({})),
        ("/root", json!({ "path": "rootfs", "readonly": true })),
    ] {
        let place = config.pointer_mut(pointer);
        *place.with_context(|| format!("the bundle has no {pointer}"))? = value;
    }
    Ok(config)
}
