//! The data of a type. Types and the symbolic expressions of the SIMT preview refer to each other, so both are here.

use tile_dialect::{Element, PreviewAttr, PreviewWord};

/// An interned type. Two types are equal if and only if they are the same object.
#[derive(Clone, Copy)]
pub struct Type(pub(super) &'static TypeKind);

/// The kind and parameters of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// A type that could not be read. It matches every other type, so that one mistake is reported once.
    Unknown,
    /// A tile.
    Tile(TileType),
    /// A pointer outside of a tile: an element type on its own, or a mistake in the program.
    Pointer(Pointer),
    /// An element type on its own: that of a constant, or a mistake in the program.
    Number(Element),
    /// A tensor view.
    TensorView(TensorViewType),
    /// A partition, strided or gather/scatter view.
    TileView(TileViewType),
    /// An ordering token.
    Token,
    /// A type of the SIMT preview.
    Preview(PreviewType),
    /// A type of another dialect, as its text.
    Foreign(Box<str>),
}

/// A tile: a rectangular array of elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileType {
    /// The extents; empty for a scalar.
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
    /// The element type that it points to.
    pub to: Element,
    /// The memory it points into, a value of [`tile_dialect::PTR_ATTR`]. `None` and `none` are different types.
    pub attr: Option<u8>,
}

/// Memory seen as a tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorViewType {
    /// The element type.
    pub element: Element,
    /// The extents; `None` where one is only known at run time.
    pub shape: Box<[Option<i64>]>,
    /// The strides in elements; `None` where one is only known at run time.
    pub strides: Box<[Option<i64>]>,
    /// The memory it describes, a value of [`tile_dialect::PTR_ATTR`]: the attribute of its base pointer.
    pub attr: Option<u8>,
}

/// A tensor view divided into tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileViewType {
    /// The extents of one tile.
    pub tile: Box<[i64]>,
    /// The tensor view; its kind is [`TypeKind::TensorView`].
    pub tensor: Type,
    /// The value that a load reads out of bounds, a value of [`tile_dialect::PADDING`]; `None` leaves it unspecified.
    pub padding: Option<u8>,
    /// How tiles are located in the tensor.
    pub access: Access,
}

/// How the tiles of a view are located in its tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Side by side. Dimension `k` of the tile is dimension `dim_map[k]` of the tensor.
    Partition {
        /// A permutation of the dimensions.
        dim_map: Box<[usize]>,
    },
    /// At multiples of the traversal strides.
    Strided {
        /// The distance between the starts of neighboring tiles, for each dimension of the tile.
        traversal: Box<[i64]>,
        /// A permutation of the dimensions.
        dim_map: Box<[usize]>,
    },
    /// At the given indices along one dimension and at a single element offset along each of the others.
    GatherScatter {
        /// The dimension along which indices are given.
        sparse_dim: usize,
    },
}

/// A type of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PreviewType {
    /// A tile whose extents or element type depend on constant parameters: `tile<[N]x4xf32>`.
    Tile {
        /// The extents; an integer where one is known.
        shape: Box<[PreviewValue]>,
        /// The element type: a number, a pointer or a [`PreviewType::Symbol`].
        element: Type,
    },
    /// A constant parameter used as an element type.
    Symbol(Box<str>),
    /// The part of a tile that one thread holds.
    Fragment(Fragment),
    /// A type without parameters, given by its name.
    Word(PreviewWord),
}

/// The part of a tile that one thread holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fragment {
    /// The extents; an integer where one is known.
    pub shape: Box<[PreviewValue]>,
    /// The element type.
    pub element: Type,
    /// The memory that holds the elements, a value of [`tile_dialect::MEMORY_SPACE`].
    pub space: u8,
    /// The offset in memory of each element of the fragment.
    pub mem_layout: Layout,
    /// Maps (invocation, participant, footprint) to an element of the tile.
    pub fragmap: Layout,
    /// The alignment in elements.
    pub alignment: PreviewValue,
}

/// A layout: extents and strides with the same nesting.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The extents; a tuple for a nested dimension.
    pub shapes: Box<[PreviewValue]>,
    /// The strides, nested like the extents.
    pub strides: Box<[PreviewValue]>,
}

/// An attribute of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PreviewValue {
    /// The attribute.
    pub attr: PreviewAttr,
    /// Its contents, one for each field of the attribute's row.
    pub fields: Box<[Field]>,
}

/// One field of an attribute of the preview.
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
