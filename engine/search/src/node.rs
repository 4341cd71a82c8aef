//! Kinds of nodes, as types: what differs between them is decided when the search is compiled.

/// A kind of node.
pub(crate) trait Node {
    /// Whether it is the root.
    const ROOT: bool;
    /// Whether its exact score may be wanted.
    const PV: bool;
}

/// The root.
pub(crate) struct Root;

/// A node on what may be the line expected: its window is open.
pub(crate) struct Pv;

/// A node that has only to be shown to be above or below a bound.
pub(crate) struct Cut;

impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Node for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Node for Cut {
    const ROOT: bool = false;
    const PV: bool = false;
}
