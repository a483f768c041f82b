//! A writer of tar archives.

/// The size of a block. Headers and contents are padded to whole blocks.
const BLOCK: usize = 512;

/// Returns an archive of these files. Names have at most 100 bytes.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in files {
        out.extend(header(name, bytes.len()));
        out.extend(*bytes);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
    // Two empty blocks mark the end.
    out.resize(out.len() + 2 * BLOCK, 0);
    out
}

fn header(name: &str, size: usize) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name.get(..name.len().min(100)).unwrap_or("file"));
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    // The checksum is computed over a header with blanks in its place.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn an_archive_can_be_unpacked() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let long = vec![7; 1000];
        let path = folder.path().join("x.tar");
        std::fs::write(&path, archive(&[("a/b.txt", b"hello"), ("empty", b""), ("c", &long)]))
            .expect("the folder is writable");
        let unpacked =
            Command::new("tar").arg("-xf").arg(&path).current_dir(&folder).status().expect("`tar` is installed");
        assert!(unpacked.success());
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("the file was unpacked");
        assert_eq!((read("a/b.txt"), read("empty"), read("c")), (b"hello".to_vec(), vec![], long));
    }
}
