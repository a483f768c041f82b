//! Reading locations: `loc(…)` and the debug attributes that they name.

use super::attr::{AttrReader, Read, unescape};
use crate::debug_info::{BodyDebug, DebugAttr, DebugId, FileDebug, Lookup, Position};
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use rustc_hash::FxHashMap;
use tile_dialect::DIALECT_PREFIX;
use tile_syntax::{MAX_DEPTH, Node, NodeKind, Token, Tree};

/// Where attributes are kept while locations are read.
pub(crate) trait Store: Lookup {
    /// The number of an attribute.
    fn intern(&mut self, attr: DebugAttr) -> DebugId;
    /// The attribute of an alias, whose name is given without `#`.
    fn alias(&self, name: &str) -> Option<DebugId>;
}

impl Lookup for FileDebug {
    fn attr(&self, id: DebugId) -> &DebugAttr {
        self.table.attr(id)
    }
}

impl Store for FileDebug {
    fn intern(&mut self, attr: DebugAttr) -> DebugId {
        self.table.intern(attr)
    }

    fn alias(&self, name: &str) -> Option<DebugId> {
        self.aliases.get(name).copied()
    }
}

/// The debug attributes of a body, on top of those of its file.
pub(crate) struct BodyStore<'a> {
    file: &'a FileDebug,
    pub(crate) said: BodyDebug,
    ids: FxHashMap<DebugAttr, DebugId>,
}

impl<'a> BodyStore<'a> {
    pub(crate) fn new(file: &'a FileDebug) -> BodyStore<'a> {
        BodyStore { file, said: BodyDebug::default(), ids: FxHashMap::default() }
    }
}

impl Lookup for BodyStore<'_> {
    fn attr(&self, id: DebugId) -> &DebugAttr {
        match (id.0 as usize).checked_sub(self.file.table.attrs().len()) {
            Some(own) => &self.said.attrs[own],
            None => self.file.table.attr(id),
        }
    }
}

impl Store for BodyStore<'_> {
    fn intern(&mut self, attr: DebugAttr) -> DebugId {
        if let Some(known) = self.file.table.find(&attr).or_else(|| self.ids.get(&attr).copied()) {
            return known;
        }
        let id = DebugId((self.file.table.attrs().len() + self.said.attrs.len()) as u32);
        self.said.attrs.push(attr.clone());
        self.ids.insert(attr, id);
        id
    }

    fn alias(&self, name: &str) -> Option<DebugId> {
        self.file.alias(name)
    }
}

/// Reads the location of a node, if it has one. Errors go to `found`, and the location is then unknown.
pub(crate) fn location_of(
    tree: &Tree,
    text: &str,
    node: Node,
    store: &mut impl Store,
    found: &mut Vec<Diagnostic>,
) -> Option<(DebugId, Node)> {
    let location = tree.child(node, NodeKind::Location)?;
    Some((read(tree, text, location, store, found), location))
}

/// Reads a location or another debug attribute. Errors go to `found`, and the location is then unknown.
pub(crate) fn read(
    tree: &Tree,
    text: &str,
    node: Node,
    store: &mut impl Store,
    found: &mut Vec<Diagnostic>,
) -> DebugId {
    let tokens = tree.tokens_of(node);
    let reader = AttrReader { text, tokens: &tree.tokens, at: tokens.start, end: tokens.end };
    LocationReader { reader, store, depth: 0 }.whole().unwrap_or_else(|diagnostic| {
        found.push(*diagnostic);
        DebugId::UNKNOWN
    })
}

/// Takes a location or another debug attribute where it is part of something else.
pub(crate) fn skip(reader: &mut AttrReader<'_>, file: &FileDebug) -> Read<()> {
    let mut store = BodyStore::new(file);
    let mut inner = LocationReader { reader: AttrReader { ..*reader }, store: &mut store, depth: 0 };
    inner.attr()?;
    reader.at = inner.reader.at;
    Ok(())
}

/// Whether the value of an alias is a location or a debug attribute, or the name of another alias.
pub(crate) fn is_debug(tree: &Tree, text: &str, value: Node) -> bool {
    let first = tree.first_text(value, text);
    first == "loc" || first.starts_with("#cuda_tile.di_") || first.starts_with('#') && tree.tokens_of(value).len() == 1
}

struct LocationReader<'a, 's, S> {
    reader: AttrReader<'a>,
    store: &'s mut S,
    depth: usize,
}

impl<S: Store> LocationReader<'_, '_, S> {
    /// One attribute, with nothing after it.
    fn whole(&mut self) -> Read<DebugId> {
        let id = self.attr()?;
        if self.reader.at < self.reader.end { self.expected("the end of the attribute") } else { Ok(id) }
    }

    /// `loc(…)`, `#loc3` or `#cuda_tile.di_…<…>`.
    fn attr(&mut self) -> Read<DebugId> {
        if self.depth == MAX_DEPTH {
            return self.reader.fail(d::malformed_attribute(self.reader.range(), "a location that nests less", "("));
        }
        self.depth += 1;
        let read = match self.reader.kind() {
            Token::Name if self.reader.word() == "loc" => self.wrapped(),
            Token::AttrName => self.named(),
            _ => self.expected("a location"),
        };
        self.depth -= 1;
        read
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        self.reader.fail(d::malformed_attribute(self.reader.range(), what, self.reader.word()))
    }

    fn wrapped(&mut self) -> Read<DebugId> {
        self.reader.at += 1;
        self.reader.expect(Token::LeftParen, "`(`")?;
        let location = self.location()?;
        self.reader.expect(Token::RightParen, "`)`")?;
        Ok(location)
    }

    /// The contents of `loc(…)`.
    fn location(&mut self) -> Read<DebugId> {
        match (self.reader.kind(), self.reader.word()) {
            (Token::Name, "unknown") => {
                self.reader.at += 1;
                Ok(DebugId::UNKNOWN)
            }
            (Token::Name, "callsite") => self.call_site(),
            (Token::Name, "fused") => self.fused(),
            (Token::String, _) => self.named_or_position(),
            _ => self.located(),
        }
    }

    /// A location in any spelling: with `loc(…)` around it or not.
    fn nested(&mut self) -> Read<DebugId> {
        match self.reader.kind() {
            Token::AttrName => self.located(),
            Token::Name if self.reader.word() == "loc" => self.located(),
            _ if self.depth == MAX_DEPTH => self.attr(),
            _ => {
                self.depth += 1;
                let read = self.location();
                self.depth -= 1;
                read
            }
        }
    }

    /// An attribute that is a location.
    fn located(&mut self) -> Read<DebugId> {
        let location = |attr: &DebugAttr| {
            !matches!(
                attr,
                DebugAttr::File { .. }
                    | DebugAttr::CompileUnit { .. }
                    | DebugAttr::Subprogram { .. }
                    | DebugAttr::LexicalBlock { .. }
            )
        };
        self.expect_attr("a location", location)
    }

    fn expect_attr(&mut self, what: &str, wanted: impl Fn(&DebugAttr) -> bool) -> Read<DebugId> {
        let (place, word) = (self.reader.range(), self.reader.word());
        let id = self.attr()?;
        if wanted(self.store.attr(id)) {
            return Ok(id);
        }
        self.reader.fail(d::malformed_attribute(place, what, word))
    }

    /// `callsite(A at B)`.
    fn call_site(&mut self) -> Read<DebugId> {
        self.reader.at += 1;
        self.reader.expect(Token::LeftParen, "`(`")?;
        let callee = self.nested()?;
        self.word("at")?;
        let caller = self.nested()?;
        self.reader.expect(Token::RightParen, "`)`")?;
        Ok(self.store.intern(DebugAttr::CallSite { callee, caller }))
    }

    /// `fused[A, B]`, with optional metadata in angle brackets, which is ignored.
    fn fused(&mut self) -> Read<DebugId> {
        self.reader.at += 1;
        if self.reader.eat(Token::Less) {
            let mut depth = 1;
            while depth > 0 && self.reader.kind() != Token::End {
                depth += i32::from(self.reader.kind() == Token::Less) - i32::from(self.reader.kind() == Token::Greater);
                self.reader.at += 1;
            }
        }
        self.reader.expect(Token::LeftBracket, "`[`")?;
        let mut parts = Vec::new();
        while self.reader.kind() != Token::RightBracket || !parts.is_empty() {
            parts.push(self.nested()?);
            if !self.reader.eat(Token::Comma) {
                break;
            }
        }
        self.reader.expect(Token::RightBracket, "`]`")?;
        Ok(self.store.intern(DebugAttr::Fused(parts.into())))
    }

    /// `"file":1:2`, `"name"` or `"name"(A)`.
    fn named_or_position(&mut self) -> Read<DebugId> {
        let name = unescape(self.reader.word());
        self.reader.at += 1;
        if self.reader.eat(Token::Colon) {
            let line = self.number()?;
            // A line alone is a place too.
            let column = if self.reader.eat(Token::Colon) { self.number()? } else { 0 };
            self.range_end()?;
            return Ok(self.store.intern(DebugAttr::Position(Position { file: name.into(), line, column })));
        }
        let mut child = DebugId::UNKNOWN;
        if self.reader.eat(Token::LeftParen) {
            child = self.nested()?;
            self.reader.expect(Token::RightParen, "`)`")?;
        }
        Ok(self.store.intern(DebugAttr::Named { name, child }))
    }

    /// ` to 3:4` or ` to :4`, the end of a range, which only says how far the place reaches.
    fn range_end(&mut self) -> Read<()> {
        if self.reader.word() != "to" {
            return Ok(());
        }
        self.reader.at += 1;
        if self.reader.kind() == Token::Integer {
            self.number()?;
        }
        self.reader.expect(Token::Colon, "`:`")?;
        self.number().map(|_| ())
    }

    fn named(&mut self) -> Read<DebugId> {
        let (place, word) = (self.reader.range(), self.reader.word());
        let name = word.trim_start_matches('#');
        self.reader.at += 1;
        match name.strip_prefix(DIALECT_PREFIX) {
            Some("di_loc") => self.scoped(),
            Some("di_file") => self.file(),
            Some("di_compile_unit") => self.compile_unit(),
            Some("di_subprogram") => self.subprogram(),
            Some("di_lexical_block") => self.lexical_block(),
            Some(_) => self.reader.fail(d::malformed_attribute(place, "a debug attribute", word)),
            None => match self.store.alias(name) {
                Some(known) => Ok(known),
                None => self.reader.fail(d::unknown_attr_alias(place, name)),
            },
        }
    }

    /// `di_loc<loc("file":1:2) in #scope>`.
    fn scoped(&mut self) -> Read<DebugId> {
        self.reader.expect(Token::Less, "`<`")?;
        let id = self.expect_attr("a place in a file", |attr| matches!(attr, DebugAttr::Position(_)))?;
        let DebugAttr::Position(position) = self.store.attr(id).clone() else { return Ok(id) };
        self.word("in")?;
        let scope = self.scope()?;
        self.reader.expect(Token::Greater, "`>`")?;
        Ok(self.store.intern(DebugAttr::Scoped { position, scope }))
    }

    fn scope(&mut self) -> Read<DebugId> {
        self.expect_attr("a subprogram or a lexical block", |attr| {
            matches!(attr, DebugAttr::Subprogram { .. } | DebugAttr::LexicalBlock { .. })
        })
    }

    fn file_ref(&mut self) -> Read<DebugId> {
        self.expect_attr("a `di_file`", |attr| matches!(attr, DebugAttr::File { .. }))
    }

    /// `di_file<"name" in "directory">`.
    fn file(&mut self) -> Read<DebugId> {
        self.reader.expect(Token::Less, "`<`")?;
        let name = self.string()?;
        self.word("in")?;
        let directory = self.string()?;
        self.reader.expect(Token::Greater, "`>`")?;
        Ok(self.store.intern(DebugAttr::File { name, directory }))
    }

    fn compile_unit(&mut self) -> Read<DebugId> {
        let mut file = DebugId::UNKNOWN;
        self.fields("di_compile_unit", &["file"], |reader, _| {
            file = reader.file_ref()?;
            Ok(())
        })?;
        Ok(self.store.intern(DebugAttr::CompileUnit { file }))
    }

    fn subprogram(&mut self) -> Read<DebugId> {
        let (mut file, mut unit, mut line, mut scope_line) = (DebugId::UNKNOWN, DebugId::UNKNOWN, 0, 0);
        let (mut name, mut linkage_name, mut declaration) = (Box::default(), Box::default(), false);
        let fields = ["file", "line", "name", "linkageName", "compileUnit", "scopeLine", "flags"];
        self.fields("di_subprogram", &fields, |reader, field| {
            match field {
                "file" => file = reader.file_ref()?,
                "line" => line = reader.number()?,
                "name" => name = reader.string()?,
                "linkageName" => linkage_name = reader.string()?,
                "compileUnit" => {
                    let is_unit = |attr: &DebugAttr| matches!(attr, DebugAttr::CompileUnit { .. });
                    unit = reader.expect_attr("a `di_compile_unit`", is_unit)?;
                }
                "flags" => {
                    reader.word("declaration")?;
                    declaration = true;
                }
                _ => scope_line = reader.number()?,
            }
            Ok(())
        })?;
        let subprogram = DebugAttr::Subprogram { file, line, name, linkage_name, unit, scope_line, declaration };
        Ok(self.store.intern(subprogram))
    }

    fn lexical_block(&mut self) -> Read<DebugId> {
        let (mut scope, mut file, mut line, mut column) = (DebugId::UNKNOWN, DebugId::UNKNOWN, 0, 0);
        self.fields("di_lexical_block", &["scope", "file", "line", "column"], |reader, field| {
            match field {
                "scope" => scope = reader.scope()?,
                "file" => file = reader.file_ref()?,
                "line" => line = reader.number()?,
                _ => column = reader.number()?,
            }
            Ok(())
        })?;
        Ok(self.store.intern(DebugAttr::LexicalBlock { scope, file, line, column }))
    }

    /// `<a = …, b = …>` in any order. The last of several numbers is optional.
    fn fields(
        &mut self,
        of: &str,
        names: &[&'static str],
        mut field: impl FnMut(&mut Self, &'static str) -> Read<()>,
    ) -> Read<()> {
        self.reader.expect(Token::Less, "`<`")?;
        let mut left = names.to_vec();
        while self.reader.kind() != Token::Greater {
            let word = self.reader.word();
            let Some(index) = left.iter().position(|&name| name == word) else {
                return self.expected(&format!("`{}`", left.first().copied().unwrap_or(">")));
            };
            self.reader.at += 1;
            self.reader.expect(Token::Equal, "`=`")?;
            field(self, left.remove(index))?;
            if !self.reader.eat(Token::Comma) {
                break;
            }
        }
        left.retain(|name| !matches!(*name, "scopeLine" | "column" | "flags"));
        if let Some(missing) = left.first() {
            let what = format!("`{missing}` of the `{of}`");
            return self.expected(&what);
        }
        self.reader.expect(Token::Greater, "`>`")
    }

    fn word(&mut self, word: &str) -> Read<()> {
        if self.reader.word() != word {
            return self.expected(&format!("`{word}`"));
        }
        self.reader.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Read<Box<[u8]>> {
        let word = self.reader.word();
        self.reader.expect(Token::String, "a string")?;
        Ok(unescape(word))
    }

    fn number(&mut self) -> Read<u32> {
        let (place, word) = (self.reader.range(), self.reader.word());
        let value = self.reader.integer()?;
        u32::try_from(value).or_else(|_| self.reader.fail(d::number_too_large(place, word)))
    }
}
