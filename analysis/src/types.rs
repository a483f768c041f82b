//! Types: interned, so that equality is one comparison of pointers.

mod kind;

pub use kind::{
    Access, Field, Fragment, Layout, Pointer, PreviewType, PreviewValue, Scalar, TensorViewType, TileType,
    TileViewType, Type, TypeKind,
};

use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};
use tile_dialect::{Class, Element, PADDING, PTR_ATTR, ptr_attr};

static INTERNER: LazyLock<Mutex<FxHashSet<&'static TypeKind>>> = LazyLock::new(Mutex::default);

impl Type {
    /// The one object that stands for `kind`. Types are never freed: a program has few, and a server sees few more.
    pub fn new(kind: TypeKind) -> Type {
        let mut known = INTERNER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&found) = known.get(&kind) {
            return Type(found);
        }
        let kind: &'static TypeKind = Box::leak(Box::new(kind));
        known.insert(kind);
        Type(kind)
    }

    /// The type that could not be read.
    pub fn unknown() -> Type {
        static UNKNOWN: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Unknown));
        *UNKNOWN
    }

    /// The token type.
    pub fn token() -> Type {
        static TOKEN: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Token));
        *TOKEN
    }

    /// A tile of numbers.
    pub fn tile(shape: &[i64], element: Element) -> Type {
        Type::tile_of(shape, Scalar::Number(element))
    }

    /// A tile of numbers or pointers.
    pub fn tile_of(shape: &[i64], element: Scalar) -> Type {
        Type::new(TypeKind::Tile(TileType { shape: shape.into(), element }))
    }

    /// A tile of this element type, a number or a pointer; `None` for another one.
    pub fn tile_with(shape: &[i64], element: Type) -> Option<Type> {
        match element.0 {
            TypeKind::Number(number) => Some(Type::tile_of(shape, Scalar::Number(*number))),
            TypeKind::Pointer(pointer) => Some(Type::tile_of(shape, Scalar::Pointer(*pointer))),
            _ => None,
        }
    }

    /// A type of the SIMT preview. A tile in which nothing is symbolic is an ordinary one.
    pub fn preview(ty: PreviewType) -> Type {
        if let PreviewType::Tile { shape, element } = &ty
            && let Some(extents) = shape.iter().map(|extent| extent.as_int()).collect::<Option<Vec<i64>>>()
            && let Some(tile) = Type::tile_with(&extents, *element)
        {
            return tile;
        }
        Type::new(TypeKind::Preview(ty))
    }

    /// The type of the SIMT preview that it is.
    pub fn as_preview(self) -> Option<&'static PreviewType> {
        match self.0 {
            TypeKind::Preview(ty) => Some(ty),
            _ => None,
        }
    }

    /// Its kind.
    pub fn kind(self) -> &'static TypeKind {
        self.0
    }

    /// Whether it could not be read.
    pub fn is_unknown(self) -> bool {
        matches!(self.0, TypeKind::Unknown)
    }

    /// The tile that it is.
    pub fn as_tile(self) -> Option<&'static TileType> {
        match self.0 {
            TypeKind::Tile(tile) => Some(tile),
            _ => None,
        }
    }

    /// The tensor view that it is.
    pub fn as_tensor_view(self) -> Option<&'static TensorViewType> {
        match self.0 {
            TypeKind::TensorView(view) => Some(view),
            _ => None,
        }
    }

    /// The partition, strided or gather/scatter view that it is.
    pub fn as_tile_view(self) -> Option<&'static TileViewType> {
        match self.0 {
            TypeKind::TileView(view) => Some(view),
            _ => None,
        }
    }

    /// Whether it belongs to a class. An unknown type does.
    pub fn is_a(self, class: Class) -> bool {
        match (self.0, class) {
            (TypeKind::Unknown, _) | (_, Class::Any) => true,
            (TypeKind::Tile(_), Class::Tile) => true,
            (TypeKind::Tile(tile), Class::TileOf(elements)) => tile.number().is_some_and(|e| elements.contains(&e)),
            (TypeKind::Tile(tile), Class::ScalarOf(elements)) => {
                tile.rank() == 0 && tile.number().is_some_and(|e| elements.contains(&e))
            }
            (TypeKind::Tile(tile), Class::Pointers) => tile.pointee().is_some(),
            (TypeKind::Tile(tile), Class::Pointer) => tile.rank() == 0 && tile.pointee().is_some(),
            (TypeKind::Token, Class::Token) => true,
            (TypeKind::TensorView(_), Class::TensorView) => true,
            (TypeKind::TileView(_), Class::TileView) => true,
            (TypeKind::TileView(view), Class::PartitionView) => matches!(view.access, Access::Partition { .. }),
            (TypeKind::TileView(view), Class::StridedView) => matches!(view.access, Access::Strided { .. }),
            (TypeKind::TileView(view), Class::GatherScatterView) => matches!(view.access, Access::GatherScatter { .. }),
            _ => false,
        }
    }

    /// Whether it is a tile of pointers with a pointer attribute.
    pub fn has_pointer_attr(self) -> bool {
        self.as_tile().and_then(TileType::pointer).is_some_and(|pointer| pointer.attr.is_some())
    }

    /// Whether it is a tensor view or any other view.
    pub fn is_view(self) -> bool {
        matches!(self.0, TypeKind::TensorView(_) | TypeKind::TileView(_))
    }
}

impl TileType {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Whether it has none; no valid tile is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number type of its elements; `None` for pointers.
    pub fn number(&self) -> Option<Element> {
        match self.element {
            Scalar::Number(element) => Some(element),
            Scalar::Pointer(_) => None,
        }
    }

    /// What its pointers point to; `None` for numbers.
    pub fn pointee(&self) -> Option<Element> {
        self.pointer().map(|pointer| pointer.to)
    }

    /// The type of its pointers; `None` for numbers.
    pub fn pointer(&self) -> Option<Pointer> {
        match self.element {
            Scalar::Number(_) => None,
            Scalar::Pointer(pointer) => Some(pointer),
        }
    }
}

impl Pointer {
    /// A pointer without attributes.
    pub fn to(element: Element) -> Pointer {
        Pointer { to: element, attr: None }
    }

    /// Whether it addresses a multicast object, which only the multimem ops access.
    pub fn is_multicast(self) -> bool {
        self.attr == Some(ptr_attr::MULTICAST)
    }
}

impl TensorViewType {
    /// Whether its memory is a multicast object, which only the multimem ops access.
    pub fn is_multicast(&self) -> bool {
        self.attr == Some(ptr_attr::MULTICAST)
    }
}

impl TileViewType {
    /// The tensor view that is cut.
    pub fn tensor(&self) -> &'static TensorViewType {
        self.tensor.as_tensor_view().expect("the parser of types lets no other kind in")
    }

    /// The type of the tiles that are loaded and stored.
    pub fn tile_type(&self) -> Type {
        Type::tile(&self.tile, self.tensor().element)
    }

    /// Whether a type is that of the tiles that are loaded and stored.
    pub fn holds(&self, ty: Type) -> bool {
        ty.as_tile().is_some_and(|tile| tile.shape == self.tile && tile.number() == Some(self.tensor().element))
    }

    /// The tensor's dimension that dimension `k` of the tile lies along.
    pub fn tensor_dim(&self, k: usize) -> usize {
        match &self.access {
            Access::Partition { dim_map } | Access::Strided { dim_map, .. } => dim_map[k],
            Access::GatherScatter { .. } => k,
        }
    }

    /// How far apart, in elements, two neighbouring tiles start along dimension `k` of the tile.
    pub fn step(&self, k: usize) -> i64 {
        match &self.access {
            Access::Partition { .. } => self.tile[k],
            Access::Strided { traversal, .. } => traversal[k],
            Access::GatherScatter { .. } => 1,
        }
    }

    /// How many tiles lie along dimension `k` of the tile, in a tensor whose dimension there has `extent` elements.
    pub fn index_space(&self, k: usize, extent: i64) -> i64 {
        let step = self.step(k);
        (extent + step - 1).div_euclid(step)
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The spelling without the dialect's prefix, as NVIDIA's printer spaces it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            TypeKind::Unknown => f.write_str("?"),
            TypeKind::Tile(tile) => write!(f, "{tile}"),
            TypeKind::Pointer(pointer) => write!(f, "{pointer}"),
            TypeKind::Number(element) => write!(f, "{element}"),
            TypeKind::TensorView(view) => write!(f, "{view}"),
            TypeKind::TileView(view) => write!(f, "{view}"),
            TypeKind::Token => f.write_str("token"),
            TypeKind::Preview(ty) => write!(f, "{ty}"),
            TypeKind::Foreign(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for TileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tile<")?;
        for extent in &self.shape {
            write!(f, "{extent}x")?;
        }
        write!(f, "{}>", self.element)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Number(element) => write!(f, "{element}"),
            Scalar::Pointer(pointer) => write!(f, "{pointer}"),
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.attr {
            Some(attr) => write!(f, "ptr<{}, <{}>>", self.to, PTR_ATTR.keyword(attr)),
            None => write!(f, "ptr<{}>", self.to),
        }
    }
}

impl fmt::Display for TensorViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor_view<")?;
        for extent in &self.shape {
            write!(f, "{}x", Dynamic(*extent))?;
        }
        write!(f, "{}", self.element)?;
        if !self.shape.is_empty() {
            f.write_str(", strides=[")?;
            list(f, self.strides.iter().map(|stride| Dynamic(*stride)), ",")?;
            f.write_str("]")?;
        }
        match self.attr {
            Some(attr) => write!(f, ", {}>", PTR_ATTR.literal(attr)),
            None => f.write_str(">"),
        }
    }
}

impl fmt::Display for TileViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.access {
            Access::Partition { .. } => "partition_view<tile=(",
            Access::Strided { .. } => "strided_view<tile=(",
            Access::GatherScatter { .. } => "gather_scatter_view<tile=(",
        })?;
        list(f, self.tile.iter(), "x")?;
        f.write_str("), ")?;
        if let Access::Strided { traversal, .. } = &self.access {
            f.write_str("traversal_strides=[")?;
            list(f, traversal.iter(), ",")?;
            f.write_str("], ")?;
        }
        if let Some(padding) = self.padding {
            write!(f, "padding_value = {}, ", PADDING.keyword(padding))?;
        }
        write!(f, "{}", self.tensor)?;
        match &self.access {
            Access::Partition { dim_map } | Access::Strided { dim_map, .. } => {
                if dim_map.iter().enumerate().any(|(k, &dim)| k != dim) {
                    f.write_str(", dim_map=[")?;
                    list(f, dim_map.iter(), ", ")?;
                    f.write_str("]")?;
                }
            }
            Access::GatherScatter { sparse_dim } => write!(f, ", sparse_dim={sparse_dim}")?,
        }
        f.write_str(">")
    }
}

/// An extent or a stride, `?` where it is not known.
struct Dynamic(Option<i64>);

impl fmt::Display for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => write!(f, "{value}"),
            None => f.write_str("?"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>, between: &str) -> fmt::Result {
    for (index, item) in items.enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}
