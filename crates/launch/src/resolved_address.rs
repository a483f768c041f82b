//! Resolves addresses in a launch.

use super::address::Address;
use super::buffer::{replica_extent, row_major};
use super::directive::Launch;
use super::error::LaunchError;
use super::shape::bracketed;
use super::spec::Spec;
use tile_analysis::suggest;
use tile_dialect::Element;

/// A resolved address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResolvedAddress {
    /// The replica, 0 if the buffer has no replicas; `None` for all replicas.
    pub replica: Option<usize>,
    /// Bytes from the start of the replica.
    pub bytes: i64,
    /// The element type of the buffer.
    pub element: Element,
}

impl Address {
    /// Resolves the address in its launch. The error names the wrong buffer, index or offset.
    pub fn target(&self, launch: &Launch) -> Result<ResolvedAddress, LaunchError> {
        let Some(arg) = launch.arg(&self.of) else { return Err(self.unknown(launch)) };
        let fail = |message: String| LaunchError::new(self.range.clone(), message);
        let (element, shape, strides, replicas) = match &arg.spec {
            Spec::Buffer { element, shape, strides, replicas, .. } => (*element, shape, strides, *replicas),
            Spec::Scalar(_) => return Err(fail(format!("`%{}` is a number, which has no address", self.of))),
            Spec::Address(other) => {
                let error = fail(format!("`%{}` is an address itself, not a buffer", self.of));
                return Err(error.help(format!("address the buffer, such as `&%{}`", other.of)));
            }
        };
        let too_far = || fail(format!("`{self}` exceeds the address space"));
        let own = strides.clone().or_else(|| row_major(shape)).ok_or_else(too_far)?;
        let (mut extents, mut steps) = (shape.clone(), own.clone());
        if let Some(replicas) = replicas {
            extents.insert(0, replicas);
            steps.insert(0, replica_extent(shape, &own).ok_or_else(too_far)?);
        }
        self.check_index(&extents)?;
        let places = self.index.iter().zip(&steps).skip(usize::from(replicas.is_some()));
        let inside = places.map(|(index, step)| i128::from(*index) * i128::from(*step)).sum::<i128>();
        let nibbles = (inside + i128::from(self.offset)) * i128::from(element.nibbles());
        if nibbles % 2 != 0 {
            let message = format!("`{self}` points into a byte, which two elements of {element} share");
            return Err(fail(message).help("address an even element"));
        }
        let bytes = i64::try_from(nibbles / 2).ok().filter(|bytes| bytes.unsigned_abs() < 1 << 48);
        let first = self.index.first().filter(|_| replicas.is_some()).copied().unwrap_or(0) as usize;
        let replica = (!self.multicast).then_some(first);
        Ok(ResolvedAddress { replica, bytes: bytes.ok_or_else(too_far)?, element })
    }

    fn check_index(&self, extents: &[u64]) -> Result<(), LaunchError> {
        let fail = |message: String| Err(LaunchError::new(self.range.clone(), message));
        if self.index.len() > extents.len() {
            let (count, of) = (self.index.len(), bracketed(extents));
            return fail(format!("{count} indices are too many for `%{}`, whose shape is {of}", self.of));
        }
        match self.index.iter().zip(extents).position(|(index, extent)| index >= extent) {
            None => Ok(()),
            Some(dim) => {
                let (index, of) = (self.index[dim], bracketed(extents));
                fail(format!("index {index} is outside dimension {dim} of `%{}`, whose shape is {of}", self.of))
            }
        }
    }

    /// The buffer whose name an address misspells.
    pub(super) fn closest<'l>(&self, launch: &'l Launch) -> Option<&'l str> {
        if launch.arg(&self.of).is_some() {
            return None;
        }
        let buffers = launch.args.iter().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
        suggest::closest(&self.of, buffers.map(|arg| arg.name.as_str()))
    }

    fn unknown(&self, launch: &Launch) -> LaunchError {
        let error = LaunchError::new(self.range.clone(), format!("this launch has no buffer `%{}`", self.of));
        match self.closest(launch) {
            Some(close) => error.help(format!("did you mean `%{close}`?")),
            None => error.help(format!("add a line such as `//@   %{} = f32[1024] zeros`", self.of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const BUFFERS: &str = "//@ launch
//@ %a = f32[4, 8] zeros
//@ %r = f16[4] strides=[3] replicas=2 zeros
//@ %h = f4E2M1FN[4] zeros
//@ %n = 5
";

    fn target(address: &str) -> Result<(Option<usize>, i64), LaunchError> {
        let text = format!("{BUFFERS}//@ %p = {address}\n");
        let found = parse(&text, 0..text.len());
        assert_eq!(found.errors, []);
        let launch = &found.launches[0];
        let address = launch.args[4].spec.addresses().next().expect("an address");
        address.target(launch).map(|target| (target.replica, target.bytes))
    }

    fn message(address: &str) -> String {
        target(address).unwrap_err().to_string()
    }

    #[test]
    fn indices_and_offsets_count_elements() {
        assert_eq!(target("&%a"), Ok((Some(0), 0)));
        assert_eq!(target("&%a[1]"), Ok((Some(0), 32)));
        assert_eq!(target("&%a[3, 7] + 1"), Ok((Some(0), 128)));
        assert_eq!(target("&%a - 2"), Ok((Some(0), -8)));
        assert_eq!(target("&%r"), Ok((Some(0), 0)));
        assert_eq!(target("&%r[1]"), Ok((Some(1), 0)));
        assert_eq!(target("&%r[1, 2] + 1"), Ok((Some(1), 14)));
        assert_eq!(target("multicast(%r) + 3"), Ok((None, 6)));
        assert_eq!(target("multicast(%a)"), Ok((None, 0)));
        assert_eq!(target("&%h[2]"), Ok((Some(0), 1)));
        assert_eq!(target("&%p2-1").map_err(|error| error.message), Err("this launch has no buffer `%p2`".into()));
    }

    #[test]
    fn invalid_addresses_are_errors() {
        assert_eq!(message("&%aa"), "this launch has no buffer `%aa` (did you mean `%a`?)");
        assert_eq!(
            message("&%other"),
            "this launch has no buffer `%other` (add a line such as `//@   %other = f32[1024] zeros`)"
        );
        assert_eq!(message("&%n"), "`%n` is a number, which has no address");
        // This also rejects addresses that refer to each other.
        assert_eq!(message("&%p + 1"), "`%p` is an address itself, not a buffer (address the buffer, such as `&%p`)");
        assert_eq!(message("&%a[4]"), "index 4 is outside dimension 0 of `%a`, whose shape is [4, 8]");
        assert_eq!(message("&%r[2]"), "index 2 is outside dimension 0 of `%r`, whose shape is [2, 4]");
        assert_eq!(message("&%a[0, 0, 0]"), "3 indices are too many for `%a`, whose shape is [4, 8]");
        let half = "`&%h + 1` points into a byte, which two elements of f4E2M1FN share (address an even element)";
        assert_eq!(message("&%h + 1"), half);
        assert_eq!(message("&%a + 281474976710656"), "`&%a + 281474976710656` exceeds the address space");
    }
}
