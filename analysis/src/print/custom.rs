//! Custom form: the pieces of an op's form, one after the other.

use super::attr;
use super::printer::{Printer, Subject};
use super::spelt::spelt;
use crate::ir::{Attr, RegionId, Value};
use crate::types::Type;
use tile_dialect::form::{Form, Measure, Piece, Slot, TypeCount};
use tile_dialect::{AttrKind, Mnemonic, Named, RegionArgs};

/// The state of printing an op by its form.
struct Pass<'s> {
    subject: &'s Subject<'s>,
    form: &'static Form,
    /// For each list of types in the form, whether it was printed.
    stated: Vec<bool>,
}

/// Whether the form can say what the op holds, so that a reader understands the same.
pub(super) fn can_say(printer: &Printer, subject: &Subject, form: &'static Form) -> bool {
    let pass = Pass { subject, form, stated: vec![false; form.types.len()] };
    !printer.misleads(&pass, &form.pieces) && form.pieces.iter().all(|piece| printer.can_write(&pass, piece))
}

impl<'a> Printer<'a> {
    /// An op by the form it has under this name.
    pub(super) fn custom(&mut self, subject: &Subject, named: Named) {
        self.out.push(named.spelling.map_or(subject.row.name, |spelling| spelling.name));
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

    /// Whether there is anything to write for a piece. An optional group is written where everything in it is there.
    fn is_present(&self, pass: &Pass, piece: &'static Piece) -> bool {
        let subject = pass.subject;
        match piece {
            Piece::Operand(index) => !self.group(subject, *index).is_empty(),
            Piece::Attr { index, .. } => is_given(subject, *index as usize),
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

    /// Whether omitting a piece would make a later one look like it, as with a mask and padding.
    fn misleads(&self, pass: &Pass, pieces: &'static [Piece]) -> bool {
        let mut left_out: Vec<&Piece> = Vec::new();
        for piece in pieces {
            if !self.is_present(pass, piece) {
                left_out.push(piece);
            } else if left_out.iter().any(|before| start_alike(before, piece)) {
                return true;
            } else {
                left_out.clear();
            }
        }
        false
    }

    /// Whether the parts of the op are as many as the piece has places for.
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

    /// The block arguments of a loop after those that its form names.
    fn carried(&self, pass: &Pass, region: u8) -> &'a [Value] {
        let alone = pass.form.pieces.iter().filter(|piece| matches!(piece, Piece::Argument(of) if *of == region));
        self.args(pass.subject, region).get(alone.count()..).unwrap_or(&[])
    }

    fn values(&mut self, values: &[Value]) {
        let names = &self.names;
        self.out.list(values, |out, &value| names.push_use(out, value));
    }

    /// The types that a list of the form stands for.
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

    /// `(T, T) -> T`, with prefixes.
    fn function_type(&mut self, pass: &mut Pass, operands: u8, results: u8) {
        let all = |types: Vec<Type>| types.into_iter().map(spelt).collect::<Vec<_>>();
        let (operands, results) = (all(self.types_of(pass, operands)), all(self.types_of(pass, results)));
        self.out.word(&format!("({}) -> ", operands.join(", ")));
        match &results[..] {
            [one] => self.out.push(one),
            _ => self.out.push(&format!("({})", results.join(", "))),
        }
    }

    /// `4, %n, 1`.
    fn mixed(&mut self, subject: &Subject, operand: u8, of: Measure) {
        let mut values = self.group(subject, operand).iter();
        let names = &self.names;
        self.out.list(measure(subject, of), |out, number| match number {
            Some(number) => out.push(&number.to_string()),
            None => values.next().into_iter().for_each(|&value| names.push_use(out, value)),
        });
    }

    /// `%a = %init, …`.
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

    /// `(%a: T, …) -> (T, …)`: what a function returns shows at its end.
    fn signature(&mut self, subject: &Subject, region: u8) {
        let args = self.args(subject, region).to_vec();
        self.params(&args);
        let body = self.body;
        let last = body.regions.first().and_then(|region| region.ops.last()).map(|&last| body.op(last));
        let Some(last) = last.filter(|last| last.op == Mnemonic::Return && !body.operands(last).is_empty()) else {
            return;
        };
        self.out.push(" -> (");
        self.out.list(body.operands(last), |out, &value| out.push(&spelt(body.ty(value))));
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

    /// The attributes that the form does not name, as far as a dictionary can hold them.
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
            ) && is_given(subject, index)
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

/// The numbers of the result, a tensor view.
fn measure(subject: &Subject, of: Measure) -> &'static [Option<i64>] {
    let result = subject.constant.and_then(Type::as_tensor_view);
    result.map_or(&[], |view| match of {
        Measure::Extents => &view.shape,
        Measure::Strides => &view.strides,
    })
}

/// The results that a row stands for.
fn result_group(subject: &Subject, index: usize) -> std::ops::Range<u32> {
    let Some(op) = subject.op else { return 0..0 };
    // At most one row is variadic; the later ones are counted from the end.
    let rows = subject.row.results;
    let open = rows.iter().position(|row| row.arity == tile_dialect::Arity::Variadic);
    let behind = rows.len() - index - 1;
    let start = match open {
        Some(open) if index > open => op.results.end.saturating_sub(behind as u32 + 1),
        _ => op.results.start + index as u32,
    };
    let end = match open {
        Some(open) if index == open => op.results.end.saturating_sub(behind as u32),
        _ => start + 1,
    };
    start.min(op.results.end)..end.min(op.results.end)
}

/// Whether an attribute has a value that must be written.
fn is_given(subject: &Subject, index: usize) -> bool {
    let value = &subject.attrs[index];
    *value != Attr::Absent && *value != Attr::default_of(&subject.row.attrs[index])
}

/// Whether a piece only frames others.
fn is_frame(piece: &Piece) -> bool {
    matches!(piece, Piece::Punct { .. } | Piece::Word(_) | Piece::Group(_) | Piece::AnyOrder(_) | Piece::Dict(_))
}

/// Whether a piece names types that were printed already.
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
