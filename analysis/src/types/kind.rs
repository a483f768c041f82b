//! Types as data. Types and the symbolic expressions of the SIMT preview contain each other, so both are here.

use tile_dialect::{Element, PreviewAttr, PreviewWord};

/// An interned type. Two types are equal exactly where they are the same object.
#[derive(Clone, Copy)]
pub struct Type(pub(super) &'static TypeKind);

/// The kind of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// A type that could not be read. It agrees with every other type, so that one mistake is reported once.
    Unknown,
    /// A tile.
    Tile(TileType),
    /// A pointer outside of a tile: an element type, or an error.
    Pointer(Pointer),
    /// An element type alone: the element of a constant, or a mistake.
    Number(Element),
    /// A tensor view.
    TensorView(TensorViewType),
    /// A partition, strided or gather/scatter view.
    TileView(TileViewType),
    /// An ordering token.
    Token,
    /// A type of the SIMT preview.
    Preview(PreviewType),
    /// A type of another dialect, by its text.
    Foreign(Box<str>),
}

/// A tile: a rectangular array of elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileType {
    /// The extents; none for a scalar.
    pub shape: Box<[i64]>,
    /// The element type.
    pub element: Scalar,
}

/// The element type of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// Numbers.
    Number(Element),
    /// Pointers.
    Pointer(Pointer),
}

/// A pointer to elements in device memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The pointee type.
    pub to: Element,
    /// Which memory it points into, a value of [`tile_dialect::PTR_ATTR`]. Without one it is another type than with `none`.
    pub attr: Option<u8>,
}

/// Memory seen as a tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorViewType {
    /// The element type.
    pub element: Element,
    /// The extents; `None` where they are known only when the program runs.
    pub shape: Box<[Option<i64>]>,
    /// The strides in elements; `None` where they are known only when the program runs.
    pub strides: Box<[Option<i64>]>,
    /// Which memory it describes, a value of [`tile_dialect::PTR_ATTR`]: the attribute of its base pointer.
    pub attr: Option<u8>,
}

/// A tensor view cut into tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileViewType {
    /// The extents of one tile.
    pub tile: Box<[i64]>,
    /// The tensor view; its kind is [`TypeKind::TensorView`].
    pub tensor: Type,
    /// The padding value of loads, a value of [`tile_dialect::PADDING`]; `None` if elements outside the tensor are
    /// unspecified.
    pub padding: Option<u8>,
    /// How the tiles lie in the tensor.
    pub access: Access,
}

/// How the tiles of a view lie in its tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Side by side. Dimension `k` of the tile is dimension `dim_map[k]` of the tensor.
    Partition {
        /// A permutation of the dimensions.
        dim_map: Box<[usize]>,
    },
    /// At multiples of the traversal strides.
    Strided {
        /// How far apart two tiles start, for each dimension of the tile.
        traversal: Box<[i64]>,
        /// A permutation of the dimensions.
        dim_map: Box<[usize]>,
    },
    /// At row numbers along one dimension and at an element along the others.
    GatherScatter {
        /// The dimension along which rows are picked.
        sparse_dim: usize,
    },
}

/// A type of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PreviewType {
    /// A tile whose extents or element type depend on constant parameters: `tile<[N]x4xf32>`.
    Tile {
        /// The extents; a number where it is known.
        shape: Box<[PreviewValue]>,
        /// The element type: a number, a pointer or a [`PreviewType::Symbol`].
        element: Type,
    },
    /// An element type that a constant parameter stands for.
    Symbol(Box<str>),
    /// What one thread has of a tile.
    Fragment(Fragment),
    /// A type that its name describes in full.
    Word(PreviewWord),
}

/// What one thread has of a tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fragment {
    /// The extents; a number where it is known.
    pub shape: Box<[PreviewValue]>,
    /// The element type.
    pub element: Type,
    /// Where the elements lie, a value of [`MEMORY_SPACE`].
    pub space: u8,
    /// Where in memory each element of the fragment lies.
    pub mem_layout: Layout,
    /// Which element of the tile (invocation, participant, footprint) stands for.
    pub fragmap: Layout,
    /// The alignment in elements.
    pub alignment: PreviewValue,
}

/// A layout: extents and strides with the same nesting.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The extents; a tuple where dimensions nest.
    pub shapes: Box<[PreviewValue]>,
    /// The strides, as nested as the extents.
    pub strides: Box<[PreviewValue]>,
}

/// An attribute of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PreviewValue {
    /// Which attribute it is.
    pub attr: PreviewAttr,
    /// Its fields, according to its row.
    pub fields: Box<[Field]>,
}

/// One part of an attribute of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// A number.
    Int(i64),
    /// A string.
    Text(Box<str>),
    /// A value of an enum.
    Keyword(u8),
    /// A type.
    Type(Type),
    /// One attribute.
    One(Box<PreviewValue>),
    /// A list of attributes.
    List(Box<[PreviewValue]>),
}
