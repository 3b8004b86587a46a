//! The chart for Kubernetes, as Helm packs it.

use super::archive::{Tree, gzip};
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;

/// The bytes of the package. A chart says its own version; it has to be that of the program.
pub(super) fn package(deploy: &Path, version: &str, epoch: u64) -> Result<Vec<u8>> {
    let folder = deploy.join("helm/concord");
    let chart = fs::read_to_string(folder.join("Chart.yaml"))?;
    for line in [format!("version: {version}"), format!("appVersion: \"{version}\"")] {
        if !chart.lines().any(|it| it == line) {
            bail!("deploy/helm/concord/Chart.yaml does not say `{line}`");
        }
    }
    let mut files = Tree::default();
    files.add_all("concord", &folder)?;
    gzip(&files.tar(epoch)?)
}

#[cfg(test)]
mod tests {
    use super::package;
    use std::fs;
    use std::path::Path;

    #[test]
    fn chart_and_services_are_of_the_version_of_the_program() {
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        let version = env!("CARGO_PKG_VERSION");
        assert!(package(&deploy, version, 1).is_ok());
        let error = package(&deploy, "99.0.0", 1).unwrap_err();
        assert!(error.to_string().contains("version: 99.0.0"), "{error}");
        let services = fs::read_to_string(deploy.join("compose/compose.yaml")).unwrap();
        assert!(services.contains(&format!("image: ${{IMAGE:-concord:{version}}}")));
    }
}
