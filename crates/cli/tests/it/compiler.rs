//! A stand-in for NVIDIA's compiler, a script.

use crate::harness::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The start of every stand-in for the compiler: answers to questions about its version and features.
pub(crate) const ABOUT: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "Cuda compilation tools, release 13.3, V13.3.7"; exit 0;;
  --list-versions) printf '13.1\n13.2\n13.3\n'; exit 0;;
  --help) printf '    =sm_80  - SM 80\n    =sm_90  - SM 90\n'; exit 0;;
esac
echo "$*" >> "$0.calls"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
"#;

impl Folder {
    /// A folder with [`crate::harness::HELLO`] and a compiler that runs this script.
    pub(crate) fn with_compiler(script: &str) -> Folder {
        let folder = Folder::hello();
        folder.script("bin/tileiras", &format!("{ABOUT}{script}\n"));
        folder.script("bin/ptxas", "#!/bin/sh\necho ptxas\n");
        folder.write("lib/libnvvm.so", "");
        folder
    }

    pub(crate) fn script(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("we own the file");
    }

    /// The recorded calls of the compiler.
    pub(crate) fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("bin/tileiras.calls")).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }
}
