//! Changes of bytecode that keep the sections readable.

use fastrand::Rng;
use libfuzzer_sys::fuzzer_mutate;
use tile_backend::bytecode::varint;
use tile_dialect::BYTECODE_MAGIC;

/// The bytes before the first section: the magic number, the version and the tag.
const HEAD: usize = BYTECODE_MAGIC.len() + 4;

/// The bit of a section's number that announces an alignment.
const ALIGNED: u8 = 0x80;

/// The most bytes by which a section grows.
const GROWTH: usize = 64;

struct Section {
    id: u8,
    alignment: u64,
    content: Vec<u8>,
}

fn number(file: &[u8], at: &mut usize) -> Option<u64> {
    let (number, length) = varint::read(file.get(*at..)?)?;
    *at += length;
    Some(number)
}

fn parse(file: &[u8]) -> Option<Vec<Section>> {
    let (mut at, mut sections) = (HEAD, Vec::new());
    loop {
        let id = *file.get(at)?;
        at += 1;
        if id == 0 {
            return Some(sections);
        }
        let length = number(file, &mut at)? as usize;
        let alignment = if id & ALIGNED == 0 { 1 } else { number(file, &mut at)? };
        if !alignment.is_power_of_two() || alignment > 1 << 12 {
            return None;
        }
        at = at.next_multiple_of(alignment as usize);
        let content = file.get(at..at.checked_add(length)?)?.to_vec();
        at += length;
        sections.push(Section { id, alignment, content });
    }
}

fn write(head: &[u8], sections: &[Section]) -> Vec<u8> {
    let mut file = head.to_vec();
    for Section { id, alignment, content } in sections {
        file.push(*id);
        varint::write(&mut file, content.len() as u64);
        if id & ALIGNED != 0 {
            varint::write(&mut file, *alignment);
            file.resize(file.len().next_multiple_of(*alignment as usize), 0xCB);
        }
        file.extend_from_slice(content);
    }
    file.push(0);
    file
}

/// Changes a section; `None` if the sections cannot be read.
pub(super) fn change(file: &[u8], random: &mut Rng) -> Option<Vec<u8>> {
    let mut sections = parse(file)?;
    let at = random.usize(..sections.len().max(1));
    let content = &mut sections.get_mut(at)?.content;
    match random.usize(..12) {
        0 if !content.is_empty() => {
            // A number at the limits of its encoding.
            let at = random.usize(..content.len());
            let old = varint::read(&content[at..]).map_or(1, |(_, length)| length);
            let mut new = Vec::new();
            let numbers =
                [0, 1, 0x7f, 0x80, 0xffff, 1 << 31, u64::from(u32::MAX), 1 << 63, u64::MAX, random.u64(..300)];
            varint::write(&mut new, numbers[random.usize(..numbers.len())]);
            content.splice(at..at + old, new);
        }
        1 | 2 if !content.is_empty() => {
            // A range of the section, again or moved.
            let start = random.usize(..content.len());
            let end = (start + random.usize(1..24)).min(content.len());
            let range = content[start..end].to_vec();
            let to = random.usize(..=content.len());
            let over = if random.bool() { (to + range.len()).min(content.len()) } else { to };
            content.splice(to..over, range);
        }
        3 => _ = sections.remove(at),
        4 => {
            let other = random.usize(..sections.len());
            sections.swap(at, other);
        }
        _ => {
            let size = content.len();
            content.resize(size + GROWTH, 0);
            let size = fuzzer_mutate(content, size, size + GROWTH);
            content.truncate(size);
        }
    }
    let mut head = file.get(..HEAD)?.to_vec();
    if random.u8(..16) == 0 {
        head[BYTECODE_MAGIC.len() + 1] = random.u8(..8);
    }
    Some(write(&head, &sections))
}
