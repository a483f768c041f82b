//! Sections of object files: cubins are ELF, tile libraries are ELF or COFF.

use object::{Object, ObjectSection};

/// The section with the text of the PTX.
const PTX: &str = ".nv_debug_ptx_txt";

/// The PTX that a cubin was compiled from, if the cubin contains it.
pub fn ptx(cubin: &[u8]) -> Option<String> {
    let text = ptx_lines(cubin)?.join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| format!("{text}\n"))
}

/// The lines of the PTX as the line table of the cubin numbers them, with empty lines at the start.
pub fn ptx_lines(cubin: &[u8]) -> Option<Vec<String>> {
    // Lines end with NUL.
    let lines = section(cubin, PTX)?.split(|&byte| byte == 0);
    Some(lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect())
}

/// The bytes of a section. `None` if there is no such section, or if the file is damaged or not an object file.
pub(super) fn section<'f>(file: &'f [u8], name: &str) -> Option<&'f [u8]> {
    object::File::parse(file).ok()?.section_by_name(name)?.data().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::write;
    use object::{Architecture, BinaryFormat, Endianness, SectionKind};

    /// An object file with one section.
    fn file(format: BinaryFormat, name: &str, content: &[u8]) -> Vec<u8> {
        let mut file = write::Object::new(format, Architecture::X86_64, Endianness::Little);
        let section = file.add_section(Vec::new(), name.into(), SectionKind::ReadOnlyData);
        file.append_section_data(section, content, 1);
        file.write().unwrap()
    }

    #[test]
    fn the_text_of_the_ptx_is_found() {
        let whole = file(BinaryFormat::Elf, PTX, b"\0.version 9.2\0.target sm_90\0\0");
        assert_eq!(ptx(&whole).as_deref(), Some(".version 9.2\n.target sm_90\n"));
        assert_eq!(ptx(&file(BinaryFormat::Elf, ".other", b"x")), None);
    }

    #[test]
    fn both_formats_of_libraries_are_read() {
        for format in [BinaryFormat::Elf, BinaryFormat::Coff] {
            let whole = file(format, ".nvtlifc", b"interface");
            assert_eq!(section(&whole, ".nvtlifc"), Some(&b"interface"[..]), "{format:?}");
            assert_eq!(section(&whole, ".nvtl.0"), None, "{format:?}");
        }
    }

    #[test]
    fn damaged_files_do_not_panic() {
        for format in [BinaryFormat::Elf, BinaryFormat::Coff] {
            let whole = file(format, ".nvtlifc", b"interface");
            for length in 0..whole.len() {
                let _ = section(&whole[..length], ".nvtlifc");
            }
            for at in 0..whole.len() {
                for byte in [0, 1, 0x7F, 0xFF] {
                    let mut damaged = whole.clone();
                    damaged[at] = byte;
                    let _ = section(&damaged, ".nvtlifc");
                }
            }
        }
    }
}
