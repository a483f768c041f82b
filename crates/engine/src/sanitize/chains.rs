//! Vector clocks as persistent trees: adding a position copies only the nodes on the path to it.

use std::sync::Arc;

/// A position on a chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Link {
    pub(crate) chain: u32,
    pub(crate) place: u32,
}

/// Positions on chains, at most one per chain.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    root: Arc<Node>,
    /// The number of levels above the leaves.
    height: u32,
}

#[derive(Clone, Debug)]
enum Node {
    /// The positions on adjacent chains, counted from 1; 0 means none.
    Leaf([u32; WIDTH]),
    Inner([Option<Arc<Node>>; WIDTH]),
}

/// The number of bits of a chain's number that each level uses.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// The child of a node on a level that contains a chain.
fn child(chain: u32, level: u32) -> usize {
    (chain >> (BITS * level)) as usize % WIDTH
}

impl Node {
    fn empty(level: u32) -> Arc<Node> {
        Arc::new(if level == 0 { Node::Leaf([0; WIDTH]) } else { Node::Inner([const { None }; WIDTH]) })
    }

    /// Keeps the later of two positions on each chain.
    fn join(own: &mut Arc<Node>, other: &Arc<Node>) {
        if Arc::ptr_eq(own, other) {
            return;
        }
        match (Arc::make_mut(own), &**other) {
            (Node::Leaf(own), Node::Leaf(other)) => {
                own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
            }
            (Node::Inner(own), Node::Inner(other)) => {
                for (own, other) in own.iter_mut().zip(other) {
                    match (own, other) {
                        (Some(own), Some(other)) => Node::join(own, other),
                        (own @ None, other) => *own = other.clone(),
                        (Some(_), None) => {}
                    }
                }
            }
            _ => unreachable!("nodes of one level are of one kind"),
        }
    }

    /// Calls `visit` for the positions, the last chain first, until it returns true.
    fn newest(&self, level: u32, first: u32, visit: &mut impl FnMut(Link) -> bool) -> bool {
        let begin = |index: usize| first + ((index as u32) << (BITS * level));
        (0..WIDTH).rev().any(|index| match self {
            Node::Leaf(places) => places[index] > 0 && visit(Link { chain: begin(index), place: places[index] - 1 }),
            Node::Inner(nodes) => nodes[index].as_ref().is_some_and(|node| node.newest(level - 1, begin(index), visit)),
        })
    }
}

impl Chains {
    /// Creates a clock with these positions.
    pub(crate) fn of(links: &[Link]) -> Chains {
        let mut chains = Chains { root: Node::empty(0), height: 0 };
        links.iter().for_each(|&link| chains.add(link));
        chains
    }

    /// The position on a chain.
    pub(crate) fn place(&self, chain: u32) -> Option<u32> {
        if chain.checked_shr(BITS * (self.height + 1)).unwrap_or(0) != 0 {
            return None;
        }
        let (mut node, mut level) = (&*self.root, self.height);
        loop {
            match node {
                Node::Leaf(places) => return places[child(chain, 0)].checked_sub(1),
                Node::Inner(nodes) => node = nodes[child(chain, level)].as_deref()?,
            }
            level -= 1;
        }
    }

    /// Adds a position; of two on one chain, the later one counts.
    pub(crate) fn add(&mut self, link: Link) {
        while link.chain.checked_shr(BITS * (self.height + 1)).unwrap_or(0) != 0 {
            self.grow();
        }
        let (mut node, mut level) = (&mut self.root, self.height);
        loop {
            match Arc::make_mut(node) {
                Node::Leaf(places) => {
                    let place = &mut places[child(link.chain, 0)];
                    *place = (*place).max(link.place + 1);
                    return;
                }
                Node::Inner(nodes) => {
                    node = nodes[child(link.chain, level)].get_or_insert_with(|| Node::empty(level - 1));
                }
            }
            level -= 1;
        }
    }

    /// Adds the positions of another clock.
    pub(crate) fn join(&mut self, other: &Chains) {
        while self.height < other.height {
            self.grow();
        }
        let (mut node, mut level) = (&mut self.root, self.height);
        while level > other.height {
            let Node::Inner(nodes) = Arc::make_mut(node) else { unreachable!("leaves are on the lowest level") };
            level -= 1;
            node = nodes[0].get_or_insert_with(|| Node::empty(level));
        }
        Node::join(node, &other.root);
    }

    /// Calls `visit` for the positions, the last chain first, until it returns true.
    pub(crate) fn newest(&self, visit: &mut impl FnMut(Link) -> bool) {
        self.root.newest(self.height, 0, visit);
    }

    fn grow(&mut self) {
        let mut nodes = [const { None }; WIDTH];
        self.height += 1;
        nodes[0] = Some(std::mem::replace(&mut self.root, Node::empty(0)));
        self.root = Arc::new(Node::Inner(nodes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn joining_keeps_the_latest_place_on_each_chain() {
        let some = |from: u32, step: usize| -> Vec<Link> {
            (from..from + 3000)
                .step_by(step)
                .map(|chain| Link { chain, place: chain % 1000 * 7 % 100 + from % 3 })
                .collect()
        };
        for (a, b) in [(some(0, 1), some(1, 2)), (some(0, 7), some(100_000, 1)), (some(u32::MAX - 3000, 1), some(5, 3))]
        {
            let mut expected = BTreeMap::new();
            for link in a.iter().chain(&b) {
                let place = expected.entry(link.chain).or_insert(link.place);
                *place = link.place.max(*place);
            }
            for (own, other) in [(&a, &b), (&b, &a)] {
                let (mut chains, before) = (Chains::of(own), Chains::of(own));
                chains.join(&Chains::of(other));
                assert!(expected.iter().all(|(&chain, &place)| chains.place(chain) == Some(place)));
                assert_eq!(chains.place(u32::MAX / 2), None);
                assert_eq!(before.place(other[0].chain).is_some(), own.iter().any(|link| link.chain == other[0].chain));
                let mut listed = Vec::new();
                chains.newest(&mut |link| {
                    listed.push((link.chain, link.place));
                    false
                });
                assert!(listed.into_iter().eq(expected.clone().into_iter().rev()));
            }
        }
    }
}
