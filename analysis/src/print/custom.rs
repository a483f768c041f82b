//! Custom form: the pieces of an op's form, in order.

use super::attr;
use super::prefixed::prefixed;
use super::printer::{Printer, Subject};
use crate::ir::{Attr, RegionId, Value};
use crate::types::Type;
use tile_dialect::form::{Form, Measure, Piece, Slot, TypeCount};
use tile_dialect::{AttrKind, Mnemonic, Named, RegionArgs};

/// The state of printing a subject with a form.
struct Pass<'s> {
    subject: &'s Subject<'s>,
    form: &'static Form,
    /// Whether each list of types of the form has been written.
    stated: Vec<bool>,
}

/// Whether the form can express the op so that it is parsed as the same op.
pub(super) fn can_express(printer: &Printer, subject: &Subject, form: &'static Form) -> bool {
    let pass = Pass { subject, form, stated: vec![false; form.types.len()] };
    !printer.is_ambiguous(&pass, &form.pieces) && form.pieces.iter().all(|piece| printer.can_write(&pass, piece))
}

impl<'a> Printer<'a> {
    /// Prints an op in the custom form of its spelling.
    pub(super) fn custom(&mut self, subject: &Subject, named: Named) {
        self.out.push(named.name());
        let mut pass = Pass { subject, form: named.form(), stated: vec![false; named.form().types.len()] };
        self.pieces(&mut pass, &named.form().pieces);
    }

    fn pieces(&mut self, pass: &mut Pass, pieces: &'static [Piece]) {
        for piece in pieces {
            if self.is_present(pass, piece) {
                self.piece(pass, piece);
            }
        }
    }

    fn piece(&mut self, pass: &mut Pass, piece: &'static Piece) {
        let subject = pass.subject;
        match piece {
            Piece::Operand(index) => {
                self.out.blank();
                self.values(self.group(subject, *index));
            }
            Piece::Mixed { operand, of } => self.mixed(subject, *operand, *of),
            Piece::Attr { index, .. } => {
                self.out.blank();
                let index = *index as usize;
                attr::custom(&mut self.out, &subject.row.attrs[index], &subject.attrs[index], subject.constant);
            }
            Piece::Region(index) => self.op_region(subject, *index),
            Piece::Type(index) => self.types(pass, *index),
            Piece::TypeArrow { before, after } => {
                let mut is_first = true;
                for &before in before {
                    if !self.types_of(pass, before).is_empty() {
                        self.out.push(if is_first { "" } else { "," });
                        self.types(pass, before);
                        is_first = false;
                    }
                }
                self.out.push(if is_first { "" } else { " ->" });
                self.types(pass, *after);
            }
            Piece::FunctionType(operands, results) => self.function_type(pass, *operands, *results),
            Piece::Word(word) => self.out.word(word),
            Piece::Punct { mark, apart } => {
                if *apart {
                    self.out.blank();
                }
                self.out.push(mark.text());
            }
            Piece::Group(pieces) | Piece::AnyOrder(pieces) => self.pieces(pass, pieces),
            Piece::Argument(region) => {
                self.out.blank();
                let arg = self.args(subject, *region).first().copied();
                self.values(arg.as_slice());
            }
            Piece::Bind { region, operand } => self.bind(pass, *region, *operand),
            Piece::Signature(region) => self.signature(subject, *region),
            Piece::Dict(keyword) => self.dict(pass, *keyword),
        }
    }

    /// Whether there is anything to write for a piece. An optional group is written if all of its parts are present.
    fn is_present(&self, pass: &Pass, piece: &'static Piece) -> bool {
        let subject = pass.subject;
        match piece {
            Piece::Operand(index) => !self.group(subject, *index).is_empty(),
            Piece::Attr { index, .. } => must_be_written(subject, *index as usize),
            Piece::Region(index) => (*index as usize) < subject.regions.len(),
            Piece::Type(index) => !self.types_of(pass, *index).is_empty(),
            Piece::Bind { operand, .. } => !self.group(subject, *operand).is_empty(),
            Piece::Argument(region) => !self.args(subject, *region).is_empty(),
            Piece::Group(pieces) => {
                let parts = pieces.iter().filter(|piece| !is_frame(piece));
                parts.into_iter().all(|piece| self.is_present(pass, piece) && !is_stated(pass, piece))
            }
            Piece::Dict(_) => self.dict_entries(pass).next().is_some(),
            Piece::Mixed { .. }
            | Piece::TypeArrow { .. }
            | Piece::FunctionType(..)
            | Piece::Word(_)
            | Piece::Punct { .. }
            | Piece::AnyOrder(_)
            | Piece::Signature(_) => true,
        }
    }

    /// Whether an omitted piece makes a later one ambiguous, such as a mask that is omitted before padding.
    fn is_ambiguous(&self, pass: &Pass, pieces: &'static [Piece]) -> bool {
        let mut omitted: Vec<&Piece> = Vec::new();
        for piece in pieces {
            if !self.is_present(pass, piece) {
                omitted.push(piece);
            } else if omitted.iter().any(|before| start_alike(before, piece)) {
                return true;
            } else {
                omitted.clear();
            }
        }
        false
    }

    /// Whether the number of parts of the op fits the piece.
    fn can_write(&self, pass: &Pass, piece: &'static Piece) -> bool {
        match piece {
            Piece::Bind { region, operand } => {
                self.carried(pass, *region).len() == self.group(pass.subject, *operand).len()
            }
            Piece::Argument(region) => !self.args(pass.subject, *region).is_empty(),
            Piece::Region(index) => {
                let has_place = pass.subject.row.regions[*index as usize].args != RegionArgs::None;
                has_place || self.args(pass.subject, *index).is_empty()
            }
            Piece::Mixed { operand, of } => {
                let open = measure(pass.subject, *of).iter().filter(|entry| entry.is_none()).count();
                open == self.group(pass.subject, *operand).len()
            }
            Piece::Group(pieces) => pieces.iter().all(|piece| self.can_write(pass, piece)),
            _ => true,
        }
    }

    fn group(&self, subject: &Subject, index: u8) -> &'a [Value] {
        subject.op.map_or(&[], |op| self.body.group(op, index as usize))
    }

    fn args(&self, subject: &Subject, region: u8) -> &'a [Value] {
        let id = subject.regions.start + u32::from(region);
        if subject.regions.contains(&id) { &self.body.region(RegionId(id)).args } else { &[] }
    }

    /// The block arguments of a loop, except those that its form contains as separate pieces.
    fn carried(&self, pass: &Pass, region: u8) -> &'a [Value] {
        let alone = pass.form.pieces.iter().filter(|piece| matches!(piece, Piece::Argument(of) if *of == region));
        self.args(pass.subject, region).get(alone.count()..).unwrap_or(&[])
    }

    fn values(&mut self, values: &[Value]) {
        let names = &self.names;
        self.out.list(values, |out, &value| names.push_use(out, value));
    }

    /// The types in a type list of the form.
    fn types_of(&self, pass: &Pass, index: u8) -> Vec<Type> {
        let (subject, piece) = (pass.subject, &pass.form.types[index as usize]);
        let mut types = Vec::new();
        for slot in &piece.slots {
            match (slot, subject.op) {
                (Slot::Operand(index), _) => {
                    types.extend(self.group(subject, *index).iter().map(|&value| self.body.ty(value)))
                }
                (Slot::Result(index), Some(op)) if !self.is_hidden(subject.row, op, *index as usize) => {
                    let results = result_group(subject, *index as usize);
                    types.extend(results.map(|value| self.body.ty(Value(value))));
                }
                (Slot::Result(_), _) => {}
                (Slot::Attr(_), _) => types.extend(subject.constant),
            }
        }
        let one = match piece.count {
            TypeCount::One => true,
            TypeCount::Attributed => {
                types.retain(|ty| ty.has_pointer_attr());
                true
            }
            TypeCount::Each => false,
            TypeCount::OneOrEach => types.windows(2).all(|pair| pair[0] == pair[1]),
        };
        types.truncate(if one { 1 } else { types.len() });
        types
    }

    fn types(&mut self, pass: &mut Pass, index: u8) {
        pass.stated[index as usize] = true;
        let types = self.types_of(pass, index);
        self.out.blank();
        self.out.list(types, |out, ty| out.push(&ty.to_string()));
    }

    /// Writes `(T, T) -> T`, with prefixes.
    fn function_type(&mut self, pass: &mut Pass, operands: u8, results: u8) {
        let all = |types: Vec<Type>| types.into_iter().map(prefixed).collect::<Vec<_>>();
        let (operands, results) = (all(self.types_of(pass, operands)), all(self.types_of(pass, results)));
        self.out.word(&format!("({}) -> ", operands.join(", ")));
        match &results[..] {
            [one] => self.out.push(one),
            _ => self.out.push(&format!("({})", results.join(", "))),
        }
    }

    /// Writes `4, %n, 1`.
    fn mixed(&mut self, subject: &Subject, operand: u8, of: Measure) {
        let mut values = self.group(subject, operand).iter();
        let names = &self.names;
        self.out.list(measure(subject, of), |out, number| match number {
            Some(number) => out.push(&number.to_string()),
            None => values.next().into_iter().for_each(|&value| names.push_use(out, value)),
        });
    }

    /// Writes `%a = %init, …`.
    fn bind(&mut self, pass: &Pass, region: u8, operand: u8) {
        let pairs: Vec<(Value, Value)> =
            self.carried(pass, region).iter().copied().zip(self.group(pass.subject, operand).iter().copied()).collect();
        let names = &self.names;
        self.out.list(pairs, |out, (arg, first)| {
            names.push_use(out, arg);
            out.push(" = ");
            names.push_use(out, first);
        });
    }

    /// Writes `(%a: T, …) -> (T, …)`. The result types are those of the final `return`.
    fn signature(&mut self, subject: &Subject, region: u8) {
        let args = self.args(subject, region).to_vec();
        self.params(&args);
        let body = self.body;
        let last = body.regions.first().and_then(|region| region.ops.last()).map(|&last| body.op(last));
        let Some(last) = last.filter(|last| last.op == Mnemonic::Return && !body.operands(last).is_empty()) else {
            return;
        };
        self.out.push(" -> (");
        self.out.list(body.operands(last), |out, &value| out.push(&prefixed(body.ty(value))));
        self.out.push(")");
    }

    fn op_region(&mut self, subject: &Subject, index: u8) {
        let row = &subject.row.regions[index as usize];
        let id = RegionId(subject.regions.start + u32::from(index));
        if row.args == RegionArgs::Listed {
            self.out.end_line();
            self.out.indent();
            let args = self.args(subject, index).to_vec();
            self.block_args(&args, |ty| ty.to_string());
        }
        self.out.blank();
        self.region(id, row, subject.op.is_none());
    }

    /// The indices of attributes that the form does not mention and that a dictionary can contain.
    fn dict_entries<'s>(&self, pass: &Pass<'s>) -> impl Iterator<Item = usize> + use<'s> {
        let (subject, form) = (pass.subject, pass.form);
        (0..subject.row.attrs.len()).filter(move |&index| {
            let kind = subject.row.attrs[index].kind;
            matches!(
                kind,
                AttrKind::Str
                    | AttrKind::Int(_)
                    | AttrKind::Bool
                    | AttrKind::Enum { .. }
                    | AttrKind::Array
                    | AttrKind::Dictionary
            ) && must_be_written(subject, index)
                && !form.names_attr(subject.row, subject.row.attrs[index].name)
        })
    }

    fn dict(&mut self, pass: &Pass, keyword: bool) {
        let entries: Vec<usize> = self.dict_entries(pass).collect();
        let subject = pass.subject;
        self.out.word(if keyword { "attributes {" } else { "{" });
        self.out.list(entries, |out, index| {
            let row = &subject.row.attrs[index];
            if matches!(row.kind, AttrKind::Enum { .. }) {
                return attr::generic(out, row, &subject.attrs[index], None);
            }
            out.push(row.name);
            out.push(" = ");
            attr::custom(out, row, &subject.attrs[index], None);
        });
        self.out.push("}");
    }
}

/// The extents or strides of the result, a tensor view.
fn measure(subject: &Subject, of: Measure) -> &'static [Option<i64>] {
    let result = subject.constant.and_then(Type::as_tensor_view);
    result.map_or(&[], |view| match of {
        Measure::Extents => &view.shape,
        Measure::Strides => &view.strides,
    })
}

/// The results that belong to a result row.
pub(super) fn result_group(subject: &Subject, index: usize) -> std::ops::Range<u32> {
    let Some(op) = subject.op else { return 0..0 };
    // At most one row is variadic; the ones after it are counted from the end.
    let rows = subject.row.results;
    let open = rows.iter().position(|row| row.arity == tile_dialect::Arity::Variadic);
    let after = rows.len() - index - 1;
    let start = match open {
        Some(open) if index > open => op.results.end.saturating_sub(after as u32 + 1),
        _ => op.results.start + index as u32,
    };
    let end = match open {
        Some(open) if index == open => op.results.end.saturating_sub(after as u32),
        _ => start + 1,
    };
    start.min(op.results.end)..end.min(op.results.end)
}

/// Whether an attribute has a value that must be written.
fn must_be_written(subject: &Subject, index: usize) -> bool {
    let value = &subject.attrs[index];
    *value != Attr::Absent && *value != Attr::default_of(&subject.row.attrs[index])
}

/// Whether a piece only surrounds others.
fn is_frame(piece: &Piece) -> bool {
    matches!(piece, Piece::Punct { .. } | Piece::Word(_) | Piece::Group(_) | Piece::AnyOrder(_) | Piece::Dict(_))
}

/// Whether a piece contains types that have already been written.
fn is_stated(pass: &Pass, piece: &Piece) -> bool {
    let Piece::Type(index) = piece else { return false };
    let slots = &pass.form.types[*index as usize].slots;
    pass.form.types.iter().zip(&pass.stated).any(|(other, &stated)| stated && other.slots == *slots)
}

/// Whether two optional pieces start with the same kind of token.
fn start_alike(before: &Piece, piece: &Piece) -> bool {
    let (Piece::Group(before), Piece::Group(piece)) = (before, piece) else { return false };
    match (&before[..], &piece[..]) {
        ([Piece::Punct { mark: first, .. }, second, ..], [Piece::Punct { mark: third, .. }, fourth, ..]) => {
            first == third
                && matches!((second, fourth), (Piece::Operand(_), Piece::Operand(_)) | (Piece::Type(_), Piece::Type(_)))
        }
        _ => false,
    }
}
