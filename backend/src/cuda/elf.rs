//! Reading sections of a cubin, which is an ELF file: the PTX text that the compiler leaves there, for one.

/// The section that holds the text of the PTX.
const PTX: &str = ".nv_debug_ptx_txt";

/// The PTX that a cubin was made of, if it holds that.
pub fn ptx(cubin: &[u8]) -> Option<String> {
    let bytes = section(cubin, PTX)?;
    // Its lines are ended by zeros.
    let lines = bytes.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| format!("{text}\n"))
}

/// The bytes of a section of a 64-bit ELF file.
pub(super) fn section<'f>(file: &'f [u8], wanted: &str) -> Option<&'f [u8]> {
    const ELF64_LITTLE: &[u8] = b"\x7FELF\x02\x01";
    file.starts_with(ELF64_LITTLE).then_some(())?;
    let number = |at: usize, size: usize| {
        let bytes = file.get(at..at.checked_add(size)?)?;
        let number = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
        usize::try_from(number).ok()
    };
    let (table, size, count, names) = (number(0x28, 8)?, number(0x3A, 2)?, number(0x3C, 2)?, number(0x3E, 2)?);
    let header = |index: usize| table.checked_add(size.checked_mul(index)?);
    let data = |index: usize| {
        let at = header(index)?;
        let (offset, length) = (number(at.checked_add(0x18)?, 8)?, number(at.checked_add(0x20)?, 8)?);
        file.get(offset..offset.checked_add(length)?)
    };
    let strings = data(names)?;
    let is_wanted = |index: &usize| {
        let name = header(*index).and_then(|at| number(at, 4)).and_then(|name| strings.get(name..));
        name.and_then(|name| name.split(|&byte| byte == 0).next()) == Some(wanted.as_bytes())
    };
    data((0..count).find(is_wanted)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with an empty first section, the names, and a section of this name.
    fn file(name: &str, content: &[u8]) -> Vec<u8> {
        let names = [b"\0.names\0", name.as_bytes(), b"\0"].concat();
        let (names_at, content_at) = (64, 64 + names.len());
        let table_at = content_at + content.len();
        let mut file = b"\x7FELF\x02\x01".to_vec();
        file.resize(64, 0);
        file[0x28..0x30].copy_from_slice(&(table_at as u64).to_le_bytes());
        file[0x3A..0x40].copy_from_slice(&[64, 0, 3, 0, 1, 0]);
        file.extend(&names);
        file.extend(content);
        for (name, at, length) in [(0u32, 0, 0), (1, names_at, names.len()), (8, content_at, content.len())] {
            let mut header = vec![0; 64];
            header[..4].copy_from_slice(&name.to_le_bytes());
            header[0x18..0x20].copy_from_slice(&(at as u64).to_le_bytes());
            header[0x20..0x28].copy_from_slice(&(length as u64).to_le_bytes());
            file.extend(header);
        }
        file
    }

    #[test]
    fn the_text_of_the_ptx_is_found() {
        let whole = file(PTX, b"\0.version 9.2\0.target sm_90\0\0");
        assert_eq!(ptx(&whole).as_deref(), Some(".version 9.2\n.target sm_90\n"));
        assert_eq!(ptx(&file(".other", b"x")), None);
        for length in 0..whole.len() {
            // Of the last section only its end may be missing, which nobody asks for.
            assert!(ptx(&whole[..length]).is_none() || length >= whole.len() - 64 + 0x28, "cut at {length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] = 0xFF;
            // Whatever comes of it, nothing goes wrong.
            let _ = ptx(&damaged);
        }
    }
}
