//! Kinds of nodes, as types: what differs between them is decided when the search is compiled.

/// A kind of node.
pub(crate) trait Node {
    /// What a node of this kind becomes one ply on when its first guess is to be shown wrong: a node
    /// where one good move is enough follows one where no move will do, and the other way round
    /// (Marsland and Popowich, "Parallel game-tree search", IEEE PAMI 1985).
    type Next: Node;
    /// Whether it is the root.
    const ROOT: bool;
    /// Whether its exact score may be wanted.
    const PV: bool;
    /// Whether some move is expected to be good enough to end it.
    const CUT: bool;
}

/// The root.
pub(crate) struct Root;

/// A node on what may be the line expected: its window is open.
pub(crate) struct Pv;

/// A node that has only to be shown to be above or below a bound, expected to be above it.
pub(crate) struct Cut;

/// A node that has only to be shown to be above or below a bound, expected to be below it.
pub(crate) struct All;

impl Node for Root {
    type Next = Cut;
    const ROOT: bool = true;
    const PV: bool = true;
    const CUT: bool = false;
}

impl Node for Pv {
    type Next = Cut;
    const ROOT: bool = false;
    const PV: bool = true;
    const CUT: bool = false;
}

impl Node for Cut {
    type Next = All;
    const ROOT: bool = false;
    const PV: bool = false;
    const CUT: bool = true;
}

impl Node for All {
    type Next = Cut;
    const ROOT: bool = false;
    const PV: bool = false;
    const CUT: bool = false;
}
