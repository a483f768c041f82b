//! The modules of a crate and the imports between them, read from the source.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// The modules of a crate. A module is a file; inline modules belong to the file that contains them.
#[derive(Default)]
pub struct Modules {
    /// The names of the modules: `crate::cpu::memory`.
    names: Vec<String>,
    files: Vec<Contents>,
    by_path: BTreeMap<Vec<String>, usize>,
}

/// The names that a file defines, mentions and re-exports.
#[derive(Default)]
struct Contents {
    path: Vec<String>,
    /// Paths that the code mentions, from the root of the crate.
    mentioned: BTreeSet<Vec<String>>,
    /// Paths that begin with a name that the file can import.
    relative: BTreeSet<Vec<String>>,
    /// Imports and re-exports: the name, and the path from the root. A glob has the name `*`.
    reexported: Vec<(String, Vec<String>)>,
    /// Names that it defines.
    defined: BTreeSet<String>,
}

impl Modules {
    /// Reads a crate from its root file.
    pub fn read(root: &Path) -> Modules {
        let mut modules = Modules::default();
        modules.add(root.to_path_buf(), vec!["crate".to_string()]);
        modules
    }

    /// Returns the import cycles, each as a list of imports `a -> b: names`.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        let imports = self.imports();
        let reach: Vec<BTreeSet<usize>> = (0..self.files.len()).map(|from| reachable(&imports, from)).collect();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for from in 0..self.files.len() {
            let cycle: BTreeSet<usize> = reach[from].iter().copied().filter(|to| reach[*to].contains(&from)).collect();
            if cycle.is_empty() || !seen.insert(cycle.clone()) {
                continue;
            }
            let edges = imports.iter().filter(|((a, b), _)| cycle.contains(a) && cycle.contains(b));
            let shown = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
            cycles.push(
                edges
                    .map(|((a, b), names)| format!("{} -> {}: {}", self.names[*a], self.names[*b], shown(names)))
                    .collect(),
            );
        }
        cycles
    }

    fn add(&mut self, file: PathBuf, path: Vec<String>) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut reader = ImportReader {
            contents: Contents { path: path.clone(), ..Contents::default() },
            inner: path.clone(),
            children: Vec::new(),
        };
        reader.visit_file(&parsed);
        let ImportReader { contents, children, .. } = reader;
        self.by_path.insert(path.clone(), self.files.len());
        self.names.push(path.join("::"));
        self.files.push(contents);
        let is_folder = ["lib", "main", "mod"].iter().any(|stem| file.file_stem().is_some_and(|name| name == *stem));
        let folder = if is_folder { file.with_file_name("") } else { file.with_extension("") };
        for (name, place) in children {
            let named = place.map(|place| file.with_file_name(place));
            let candidates = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
            let child = named.into_iter().chain(candidates).find(|candidate| candidate.is_file());
            let child = child.unwrap_or_else(|| panic!("{} has no file for `mod {name}`", file.display()));
            self.add(child, [path.as_slice(), &[name]].concat());
        }
    }

    fn imports(&self) -> BTreeMap<(usize, usize), BTreeSet<String>> {
        let mut imports: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for (from, contents) in self.files.iter().enumerate() {
            let through = contents.relative.iter().filter_map(|path| contents.expand(path));
            for path in contents.mentioned.iter().cloned().chain(through) {
                if let Some((to, name)) = self.resolve(&path, 0).filter(|(to, _)| *to != from) {
                    imports.entry((from, to)).or_default().insert(name);
                }
            }
        }
        imports
    }

    /// Resolves a path through re-exports to the module that defines the item, and the name of the item there.
    fn resolve(&self, path: &[String], depth: usize) -> Option<(usize, String)> {
        let known = (1..=path.len()).rev().find_map(|length| Some((length, *self.by_path.get(&path[..length])?)));
        let (length, module) = known.filter(|_| depth < 16)?;
        let Some(name) = path.get(length) else { return Some((module, "the module".to_string())) };
        let contents = &self.files[module];
        if contents.defined.contains(name) {
            return Some((module, name.clone()));
        }
        let follow = |target: &[String]| {
            let path = [target, &path[length + 1..]].concat();
            self.resolve(&path, depth + 1)
        };
        if let Some((_, target)) =
            contents.reexported.iter().find(|(own, target)| own == name && target[..] != path[..])
        {
            return follow(target);
        }
        let globs = contents.reexported.iter().filter(|(own, _)| own == "*");
        let through = globs.filter_map(|(_, target)| follow(&[target.as_slice(), std::slice::from_ref(name)].concat()));
        let defines = |(module, name): &(usize, String)| self.files[*module].defined.contains(name);
        through.into_iter().find(defines).or(Some((module, name.clone())))
    }
}

impl Contents {
    /// Expands a path that begins with an imported name to one from the root of the crate.
    fn expand(&self, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let (_, target) = self.reexported.iter().find(|(name, _)| name == first && name != "*")?;
        Some([target, rest].concat())
    }
}

fn reachable(imports: &BTreeMap<(usize, usize), BTreeSet<String>>, from: usize) -> BTreeSet<usize> {
    let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(at) = left.pop() {
        let next = imports.range((at, 0)..(at + 1, 0)).map(|((_, to), _)| *to);
        left.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

/// Collects the imports of a file. Test code is skipped: tests can import anything.
struct ImportReader {
    contents: Contents,
    /// The current module, which can be an inline module of the file.
    inner: Vec<String>,
    /// Modules in other files, with the file if an attribute names it.
    children: Vec<(String, Option<String>)>,
}

impl ImportReader {
    fn mention(&mut self, mut segments: Vec<String>) {
        self.begin_at_child(&mut segments);
        if segments.is_empty() {
            return;
        }
        match self.absolute(segments.clone()) {
            Some(path) => self.contents.mentioned.insert(path),
            None => self.contents.relative.insert(segments),
        };
    }

    /// Prepends `self` to a path that begins with a child module of this file.
    fn begin_at_child(&self, segments: &mut Vec<String>) {
        if segments.len() > 1 && self.children.iter().any(|(child, _)| *child == segments[0]) {
            segments.insert(0, "self".to_string());
        }
    }

    /// Makes a path absolute; `None` for one that does not begin with `crate`, `self` or `super`.
    fn absolute(&self, segments: Vec<String>) -> Option<Vec<String>> {
        let mut base = match segments.first().map(String::as_str) {
            Some("crate") => vec!["crate".to_string()],
            Some("self" | "super") => self.inner.clone(),
            _ => return None,
        };
        for segment in segments.into_iter().skip_while(|segment| segment == "crate") {
            match segment.as_str() {
                "self" => {}
                "super" => _ = base.pop(),
                _ => base.push(segment),
            }
        }
        Some(base)
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>, exported: bool) {
        let (name, segment) = match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before, exported);
                before.pop();
                return;
            }
            syn::UseTree::Group(group) => return group.items.iter().for_each(|tree| self.tree(tree, before, exported)),
            syn::UseTree::Name(name) => (name.ident.to_string(), Some(name.ident.to_string())),
            syn::UseTree::Rename(rename) => (rename.rename.to_string(), Some(rename.ident.to_string())),
            syn::UseTree::Glob(_) => ("*".to_string(), None),
        };
        let segment = segment.filter(|segment| segment != "self");
        let mut segments: Vec<String> = before.iter().cloned().chain(segment).collect();
        self.begin_at_child(&mut segments);
        let Some(path) = self.absolute(segments) else { return };
        // A re-export counts as an import where it is used, not where it is declared.
        if self.inner == self.contents.path {
            let name = if name == "self" { before.last().cloned().unwrap_or_default() } else { name };
            self.contents.reexported.push((name, path.clone()));
        }
        if !exported {
            self.contents.mentioned.insert(path);
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut segments: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) if colons == 2 || segments.is_empty() => segments.push(word.to_string()),
                TokenTree::Punct(sign) if sign.as_char() == ':' && colons < 2 => {
                    colons += 1;
                    continue;
                }
                other => {
                    self.mention(std::mem::take(&mut segments));
                    match other {
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        TokenTree::Ident(word) => segments.push(word.to_string()),
                        _ => {}
                    }
                }
            }
            colons = 0;
        }
        self.mention(segments);
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    let value =
        attributes.iter().find(|attribute| attribute.path().is_ident("path"))?.meta.require_name_value().ok()?;
    match &value.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

impl<'a> Visit<'a> for ImportReader {
    fn visit_file(&mut self, file: &'a syn::File) {
        for item in &file.items {
            if let syn::Item::Mod(module) = item
                && module.content.is_none()
                && !is_for_tests(&module.attrs)
            {
                self.children.push((module.ident.to_string(), path_attribute(&module.attrs)));
            }
        }
        visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'a syn::Item) {
        let (name, attributes) = match item {
            syn::Item::Const(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Enum(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            syn::Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
            syn::Item::Static(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Struct(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Trait(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Type(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Union(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Mod(item) => (None, &item.attrs),
            syn::Item::Impl(item) => (None, &item.attrs),
            syn::Item::Use(item) => (None, &item.attrs),
            _ => return visit::visit_item(self, item),
        };
        if is_for_tests(attributes) {
            return;
        }
        if let Some(name) = name.filter(|_| self.inner == self.contents.path) {
            self.contents.defined.insert(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.content.is_some() {
            self.inner.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
            self.inner.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let exported = !matches!(item.vis, syn::Visibility::Inherited);
        self.tree(&item.tree, &mut Vec::new(), exported);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.mention(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    // Visibility names modules without importing from them.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }
}
