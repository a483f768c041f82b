//! Allocates a launch's buffers in the memory of the CPU engine, and computes the addresses in arguments and buffers.

use crate::run::{Run, bits};
use tile_analysis::types::{Scalar, Type};
use tile_engine::{AllocationId, Argument, Memory};
use tile_launch::bind::takes_multicast;
use tile_launch::{Address, Arg, Buffer, Spec, Value};

/// The values of a launch in memory.
pub struct Placement {
    /// The argument for each parameter.
    pub arguments: Vec<Argument>,
    /// The addresses in buffers.
    pub addresses: Vec<PlacedAddress>,
    /// The memory of each value, if it is a buffer.
    buffers: Vec<Option<Placed>>,
}

/// The memory of a buffer.
struct Placed {
    /// One allocation for each replica.
    replicas: Vec<AllocationId>,
    /// The multicast object for all replicas, if a pointer to it is needed.
    multicast: Option<AllocationId>,
}

/// An address that was written to a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedAddress {
    /// The buffer, by its number among the values of the launch.
    pub value: usize,
    /// The offset in bytes.
    pub offset: usize,
    /// The address.
    pub address: u64,
}

/// The size of an address in bytes.
const ADDRESS: usize = 8;

impl PlacedAddress {
    fn bytes<'v>(&self, values: &'v mut [(String, Value)]) -> Option<&'v mut [u8]> {
        let (_, Value::Buffer(buffer)) = values.get_mut(self.value)? else { return None };
        buffer.bytes.get_mut(self.offset..self.offset + ADDRESS)
    }
}

/// Writes addresses to the buffers that contain them.
pub fn write_addresses(addresses: &[PlacedAddress], values: &mut [(String, Value)]) {
    for placed in addresses {
        if let Some(bytes) = placed.bytes(values) {
            bytes.copy_from_slice(&placed.address.to_le_bytes());
        }
    }
}

/// Replaces addresses that the run did not change by 0, because they differ between targets.
pub fn forget_addresses(addresses: &[PlacedAddress], values: &mut [(String, Value)]) {
    for placed in addresses {
        if let Some(bytes) = placed.bytes(values).filter(|bytes| **bytes == placed.address.to_le_bytes()) {
            bytes.fill(0);
        }
    }
}

impl Placement {
    /// The values after the run.
    pub fn after(&self, before: &[(String, Value)], memory: &Memory) -> Vec<(String, Value)> {
        let left = before.iter().enumerate().map(|(number, (name, value))| {
            let value = match value {
                Value::Buffer(buffer) => Value::Buffer(self.buffer_after(number, buffer, memory)),
                value => value.clone(),
            };
            (name.clone(), value)
        });
        left.collect()
    }

    /// The contents of a buffer after the run. `number` is its number among the values, `before` are its contents
    /// before the run.
    pub fn buffer_after(&self, number: usize, before: &Buffer, memory: &Memory) -> Buffer {
        let Some(Some(placed)) = self.buffers.get(number) else { return before.clone() };
        let parts: Vec<Vec<u8>> = placed.replicas.iter().map(|&id| memory.bytes(id)).collect();
        let (shape, strides) = (before.shape.clone(), before.strides.clone());
        Buffer { element: before.element, shape, strides, bytes: parts.concat() }
    }

    /// The bits of an element of a buffer during or after the run; `None` if the value is not a buffer.
    pub fn element_bits(&self, number: usize, position: usize, memory: &Memory) -> Option<u64> {
        let replicas = &self.buffers.get(number)?.as_ref()?.replicas;
        let count = memory.count(*replicas.first()?).max(1);
        Some(memory.element_bits(*replicas.get(position / count)?, position % count))
    }

    /// The start address of each value; 0 for values that are not buffers.
    pub fn starts(&self, memory: &Memory) -> Vec<u64> {
        let start = |placed: &Option<Placed>| placed.as_ref().map_or(0, |placed| memory.address(placed.replicas[0]));
        self.buffers.iter().map(start).collect()
    }
}

impl Run<'_> {
    /// Allocates the buffers of the launch, and creates the arguments.
    pub fn place_values(&self, values: &[(String, Value)], memory: &mut Memory) -> Placement {
        let buffers = self.place_buffers(values, memory);
        let mut addresses = Vec::new();
        for (number, arg) in self.buffers_of(values) {
            for (place, address) in arg.spec.placed_addresses() {
                let Some((id, bytes)) = self.target(address, values, &buffers) else { continue };
                let address = memory.address(id).wrapping_add_signed(bytes);
                addresses.push(PlacedAddress { value: number, offset: place * ADDRESS, address });
            }
        }
        for placed in &addresses {
            if let Some(Some(Placed { replicas, .. })) = buffers.get(placed.value) {
                write_address(memory, replicas, placed);
            }
        }
        let arguments = self.types().zip(values).zip(&buffers);
        let arguments = arguments.map(|((ty, (name, value)), placed)| match value {
            Value::Scalar(number) => Argument::Scalar(bits(*number, ty)),
            Value::Buffer(_) => {
                let multicast = placed.as_ref().and_then(|placed| placed.multicast).filter(|_| takes_multicast(ty));
                let first = placed.as_ref().and_then(|placed| placed.replicas.first().copied());
                multicast.or(first).map_or(Argument::Scalar(0), Argument::Pointer)
            }
            Value::Address => self.address_argument(name, ty, values, &buffers, memory),
        });
        let arguments = arguments.collect();
        Placement { arguments, addresses, buffers }
    }

    fn place_buffers(&self, values: &[(String, Value)], memory: &mut Memory) -> Vec<Option<Placed>> {
        let types: Vec<Type> = self.types().collect();
        let place = |(number, (name, value)): (usize, &(String, Value))| {
            let Value::Buffer(buffer) = value else { return None };
            let spec = self.launch.arg(name).map(|arg| &arg.spec);
            let count = spec.map_or(1, Spec::replicas) as usize;
            let is_plain = !matches!(spec, Some(Spec::Buffer { replicas: Some(_), .. }));
            let size = buffer.bytes.len() / count.max(1);
            let one = |replica: usize| {
                let name = if is_plain { format!("%{name}") } else { format!("%{name}[{replica}]") };
                memory.allocate(name, buffer.element, &buffer.bytes[replica * size..][..size])
            };
            let replicas: Vec<AllocationId> = (0..count).map(one).collect();
            let needed =
                types.get(number).is_some_and(|&ty| takes_multicast(ty)) || self.is_addressed_as_multicast(name);
            let multicast = needed.then(|| memory.bind_multicast(format!("%{name}"), &replicas));
            Some(Placed { replicas, multicast })
        };
        values.iter().enumerate().map(place).collect()
    }

    /// Whether the launch contains the multicast address of a buffer.
    fn is_addressed_as_multicast(&self, name: &str) -> bool {
        let mut addresses = self.launch.args.iter().flat_map(|arg| arg.spec.addresses());
        addresses.any(|address| address.multicast && address.of == name)
    }

    /// The buffers among the values, by number, with their arguments.
    pub fn buffers_of<'v>(&'v self, values: &'v [(String, Value)]) -> impl Iterator<Item = (usize, &'v Arg)> {
        let buffers = values.iter().enumerate().filter(|(_, (_, value))| matches!(value, Value::Buffer(_)));
        buffers.filter_map(|(number, (name, _))| Some((number, self.launch.arg(name)?)))
    }

    /// The allocation that an address points into, and the offset in bytes.
    fn target(
        &self,
        address: &Address,
        values: &[(String, Value)],
        buffers: &[Option<Placed>],
    ) -> Option<(AllocationId, i64)> {
        let target = address.target(self.launch).ok()?;
        let number = values.iter().position(|(name, _)| *name == address.of)?;
        let placed = buffers.get(number)?.as_ref()?;
        let id = match target.replica {
            Some(replica) => placed.replicas.get(replica).copied(),
            None => placed.multicast,
        };
        Some((id?, target.bytes))
    }

    fn address_argument(
        &self,
        name: &str,
        ty: Type,
        values: &[(String, Value)],
        buffers: &[Option<Placed>],
        memory: &Memory,
    ) -> Argument {
        let Some(Spec::Address(address)) = self.launch.arg(name).map(|arg| &arg.spec) else {
            return Argument::Scalar(0);
        };
        match self.target(address, values, buffers) {
            Some((id, bytes)) if is_pointer(ty) => Argument::Address(id, bytes),
            Some((id, bytes)) => Argument::Scalar(memory.address(id).wrapping_add_signed(bytes)),
            None => Argument::Scalar(0),
        }
    }
}

/// Writes an address to the replica that contains its location.
fn write_address(memory: &Memory, replicas: &[AllocationId], placed: &PlacedAddress) {
    let mut offset = placed.offset;
    for &id in replicas {
        let size = memory.size(id);
        if offset < size {
            memory.put(id, offset, placed.address);
            return;
        }
        offset -= size;
    }
}

fn is_pointer(ty: Type) -> bool {
    ty.as_tile().is_some_and(|tile| matches!(tile.element, Scalar::Pointer(_)))
}
