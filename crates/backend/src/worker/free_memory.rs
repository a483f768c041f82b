//! The memory that is available on the system. A run that needs more would make the machine swap, or would be killed.

use std::fs;
use std::path::{Path, PathBuf};

/// The available bytes; `None` if unknown.
pub(super) fn available() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_system(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let group = groups.and_then(|text| of_group(&text, Path::new("/sys/fs/cgroup")));
    [system, group].into_iter().flatten().min()
}

/// `MemAvailable` of `/proc/meminfo`, which includes reclaimable caches.
fn of_system(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The memory that the control groups of this process leave: the minimum of the group and its ancestors.
fn of_group(groups: &str, root: &Path) -> Option<u64> {
    let of = |line: &str| {
        let (_, line) = line.split_once(':')?;
        let (controllers, path) = line.split_once(':')?;
        let path = path.trim_start_matches('/');
        match controllers {
            "" => least_left(root, path, "memory.max", "memory.current"),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                least_left(&root.join("memory"), path, "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => None,
        }
    };
    groups.lines().filter_map(of).min()
}

fn least_left(root: &Path, path: &str, limit: &str, usage: &str) -> Option<u64> {
    let number = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let folder = root.join(folder);
        Some(number(folder.join(limit))?.saturating_sub(number(folder.join(usage))?))
    };
    // The last ancestor is the empty path: the root, which is the process's own group in a container.
    Path::new(path).ancestors().filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let text = "MemTotal:       24000000 kB\nMemFree:         100 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(of_system(text), Some(2 << 20));
        assert_eq!(of_system("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn the_smallest_limit_counts() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let group = |path: &str, limit: &str, usage: &str| {
            let folder = root.path().join(path);
            fs::create_dir_all(&folder).expect("a temporary folder");
            fs::write(folder.join("memory.max"), limit).expect("the folder is writable");
            fs::write(folder.join("memory.current"), usage).expect("the folder is writable");
        };
        group("a/b", "max\n", "10\n");
        assert_eq!(of_group("0::/a/b\n", root.path()), None);
        group("a", "1000\n", "400\n");
        assert_eq!(of_group("0::/a/b\n", root.path()), Some(600));
        group("a/b", "700\n", "200\n");
        assert_eq!(of_group("1:name=systemd:/\n0::/a/b\n", root.path()), Some(500));
        group("a/b", "100\n", "200\n");
        assert_eq!(of_group("0::/a/b\n", root.path()), Some(0));
    }

    #[test]
    fn version_1_of_control_groups_is_supported() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("memory/a");
        fs::create_dir_all(&folder).expect("a temporary folder");
        fs::write(folder.join("memory.limit_in_bytes"), "5000\n").expect("the folder is writable");
        fs::write(folder.join("memory.usage_in_bytes"), "1000\n").expect("the folder is writable");
        assert_eq!(of_group("9:cpu,memory:/a\n8:pids:/a\n", root.path()), Some(4000));
    }
}
