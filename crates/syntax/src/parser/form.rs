//! Parsing of an op by its form.

use super::{MAX_LOOKAHEAD, Parser};
use crate::token::Token;
use crate::tree::{ErrorKind, Expected, NO_SLOT, NodeKind};
use tile_dialect::form::{Form, Piece, Punct, TypeCount};
use tile_dialect::{Arity, AttrKind, Class, OpRow};

/// The op whose pieces are being parsed.
#[derive(Clone, Copy)]
pub(super) struct Op {
    pub(super) row: &'static OpRow,
    pub(super) form: &'static Form,
    /// Whether an optional group is being parsed: tokens that do not fit the group are then left to what follows it.
    in_group: bool,
}

fn token_of(punct: Punct) -> Token {
    match punct {
        Punct::Comma => Token::Comma,
        Punct::Colon => Token::Colon,
        Punct::Arrow => Token::Arrow,
        Punct::Equal => Token::Equal,
        Punct::LeftParen => Token::LeftParen,
        Punct::RightParen => Token::RightParen,
        Punct::LeftBracket => Token::LeftBracket,
        Punct::RightBracket => Token::RightBracket,
    }
}

impl Parser<'_> {
    /// Parses everything after the op's name, including its location.
    pub(super) fn form(&mut self, row: &'static OpRow, form: &'static Form) {
        self.pieces(Op { row, form, in_group: false }, &form.pieces);
        self.location();
    }

    /// Parses a sequence of pieces. A missing piece is reported once; then the parser continues with the next piece
    /// that fits the current token, so that one missing token has no further consequences.
    fn pieces(&mut self, op: Op, pieces: &[Piece]) {
        let (mut next, mut done_with) = (0, 0);
        while next < pieces.len() {
            let piece = &pieces[next];
            if self.starts(op, piece) {
                self.piece(op, piece);
                done_with = next + 1;
            } else if let Some(operand) = self.absent_operand(op, &pieces[..=next]) {
                let absent = self.open_slot(NodeKind::Absent, operand);
                self.close(absent);
            } else if matches!(piece, Piece::Operand(_)) && self.named_operand(op) {
                continue;
            } else if let Piece::Operand(index) = piece
                && self.starts_literal_operand(op, &pieces[next + 1..])
            {
                self.literal_operand(op, *index);
                self.more_operands(op, *index);
                done_with = next + 1;
            } else if let Piece::Mixed { operand, .. } = piece
                && self.kind() == Token::Name
                && self.starts_literal_operand(op, &pieces[next + 1..])
            {
                self.literal_operand(op, *operand);
                if self.eat(Token::Comma) {
                    self.mixed(*operand);
                }
                done_with = next + 1;
            } else if matches!(piece, Piece::Operand(_)) && self.stray_token(op, &pieces[next..]) {
                continue;
            } else if !is_optional(op, piece) || next > 0 && is_comma(&pieces[next - 1]) {
                if let Some(found) = self.lost_comma(op, &pieces[done_with..next]) {
                    next = done_with + found + 1;
                    done_with = next;
                    continue;
                }
                if let Some(found) = self.stray_comma(op, &pieces[done_with..next]) {
                    next = done_with + found;
                    continue;
                }
                if let Some(found) = self.misspelled_word(op, &pieces[done_with..=next]) {
                    next = done_with + found + 1;
                    done_with = next;
                    continue;
                }
                if self.bad_option(op, &pieces[done_with..=next]) || self.stray_token(op, &pieces[next..]) {
                    continue;
                }
                // For `addi %a 1`, "a literal is not an operand" is more helpful than "expected `,`".
                if let [Piece::Punct { mark: Punct::Comma, .. }, Piece::Operand(index), ..] = &pieces[next..]
                    && matches!(self.kind(), Token::Integer | Token::Float)
                    && !self.first_on_line()
                {
                    self.literal_operand(op, *index);
                    self.more_operands(op, *index);
                    next += 2;
                    done_with = next;
                    continue;
                }
                if let Some(done) = self.stray_keyword(op, &pieces[next..]) {
                    next += done;
                    continue;
                }
                self.missing(op, &pieces[next..]);
                match self.resync(op, &pieces[next..]) {
                    Some(skipped) => {
                        next += skipped;
                        continue;
                    }
                    None => return,
                }
            }
            next += 1;
        }
    }

    /// The optional operand that is missing after `token =` or a comma, if the op's types follow. Upstream's parser
    /// accepts such a statement.
    fn absent_operand(&self, op: Op, pieces: &[Piece]) -> Option<u8> {
        let [.., Piece::Punct { mark: Punct::Equal | Punct::Comma, .. }, Piece::Operand(operand)] = pieces else {
            return None;
        };
        let is_optional = is_optional_operand(op, *operand);
        let types_follow = matches!(self.kind(), Token::Colon | Token::Arrow);
        (is_optional && types_follow).then_some(*operand)
    }

    /// Parses a value that an optional group expects after a comma, although the comma is missing. Returns the index of
    /// the group.
    fn lost_comma(&mut self, op: Op, pieces: &[Piece]) -> Option<usize> {
        if self.kind() != Token::Value || self.first_on_line() || self.starts_assignment() {
            return None;
        }
        let found = pieces.iter().position(|piece| match piece {
            Piece::Group(inner) => is_comma(&inner[0]) && matches!(inner.get(1), Some(Piece::Operand(_))),
            _ => false,
        })?;
        self.expected(Expected::Text(","));
        if let Piece::Group(inner) = &pieces[found] {
            self.pieces(op, &inner[1..]);
        }
        Some(found)
    }

    /// Reports a comma before an optional group that does not start with one: `, token=%t`. Returns the index of the
    /// group.
    fn stray_comma(&mut self, op: Op, pieces: &[Piece]) -> Option<usize> {
        if self.kind() != Token::Comma || self.first_on_line() {
            return None;
        }
        let found = pieces.iter().position(|piece| matches!(piece, Piece::Group(_)) && self.starts_at(1, op, piece))?;
        self.error_here(ErrorKind::Stray);
        self.leaf(NodeKind::Error, NO_SLOT);
        Some(found)
    }

    /// Skips a token that does not fit here but is followed by one that does.
    fn stray_token(&mut self, op: Op, pieces: &[Piece]) -> bool {
        let is_word = matches!(self.kind(), Token::Name | Token::String);
        if is_word || self.first_on_line() || self.at_statement_end() || !self.starts_at(1, op, &pieces[0]) {
            return false;
        }
        // If the next two pieces start here, the current piece is missing instead.
        if pieces.get(1).is_some_and(|piece| self.starts(op, piece))
            && pieces.get(2).is_none_or(|piece| self.starts_at(1, op, piece))
        {
            return false;
        }
        // A second error of the op is mostly a consequence of the first.
        if !self.has_op_error() {
            self.error_here(ErrorKind::Stray);
        }
        self.leaf(NodeKind::Error, NO_SLOT);
        true
    }

    /// Reports a word before an operand that is not a valid value of the optional keyword there.
    fn bad_option(&mut self, op: Op, pieces: &[Piece]) -> bool {
        let [options @ .., Piece::Operand(_)] = pieces else { return false };
        let option = options.iter().find_map(|piece| match piece {
            Piece::Attr { index, optional: true } if self.takes_bare_keyword(op, *index) => Some(*index),
            _ => None,
        });
        let Some(index) = option else { return false };
        let is_word = self.kind() == Token::Name && !self.first_on_line() && self.kind_at(1) == Token::Value;
        if is_word {
            self.error_here(ErrorKind::BadKeyword(op.row.op, index));
            self.leaf(NodeKind::Error, NO_SLOT);
        }
        is_word
    }

    /// Reports a keyword that does not start the next piece. A keyword that does not fit anywhere, such as
    /// `rounding<zero>` before `:`, is skipped together with its angle brackets; a wrong keyword in place of a required
    /// one counts as the required one. Returns the number of pieces that this completes, or `None` if the current token
    /// is not such a keyword.
    fn stray_keyword(&mut self, op: Op, pieces: &[Piece]) -> Option<usize> {
        if self.kind() != Token::Name || self.first_on_line() {
            return None;
        }
        let is_type = |piece: &Piece| matches!(piece, Piece::Type(_) | Piece::TypeArrow { .. });
        if pieces.iter().any(|piece| !is_type(piece) && self.starts(op, piece)) {
            return None;
        }
        let length = self.keyword_length();
        let (kind, done) = match &pieces[0] {
            Piece::Punct { mark, .. } if self.kind_at(length) == token_of(*mark) => (ErrorKind::Surplus(op.row.op), 0),
            Piece::Attr { index, .. } if length == 1 && self.takes_bare_keyword(op, *index) => {
                (ErrorKind::BadKeyword(op.row.op, *index), 1)
            }
            Piece::Attr { index, .. } if matches!(op.row.attrs[*index as usize].kind, AttrKind::Bool) => {
                (ErrorKind::Expected(Expected::Attr(op.row.op, *index)), 1)
            }
            _ => return None,
        };
        self.error(kind, self.tokens.start(self.at)..self.tokens.end(self.at + length - 1));
        let node = self.open(NodeKind::Error);
        self.at += length;
        self.close(node);
        Some(done)
    }

    /// Reports a misspelled keyword of the form; the tokens after it determine which of these pieces is meant. Returns
    /// the index of the piece that this completes.
    fn misspelled_word(&mut self, op: Op, pieces: &[Piece]) -> Option<usize> {
        if self.kind() != Token::Name || self.first_on_line() {
            return None;
        }
        let mut found = None;
        for (index, piece) in pieces.iter().enumerate() {
            let Piece::Group(inner) = piece else { continue };
            if let [Piece::Word(word), Piece::Punct { mark, .. }, after, ..] = &**inner
                && self.kind_at(1) == token_of(*mark)
                && self.starts_at(2, op, after)
            {
                found = Some((index, *word));
                break;
            }
        }
        let is_other_word = op.form.pieces.iter().any(|piece| matches!(piece, Piece::Word(word) if self.is_word(word)));
        let (index, word) = match (found, pieces) {
            _ if is_other_word => return None,
            (Some(found), _) => found,
            // The mark after a mandatory word is a separate piece.
            (None, [.., Piece::Word(word)]) if self.kind_at(1) == Token::Equal => (pieces.len() - 1, *word),
            _ => return None,
        };
        self.error_here(ErrorKind::BadWord(word));
        let node = self.open(NodeKind::Error);
        self.bump();
        self.close(node);
        if let Piece::Group(inner) = &pieces[index] {
            self.pieces(op, &inner[1..]);
        }
        Some(index)
    }

    /// Whether the token at `ahead` can be the first of this piece.
    pub(super) fn starts_at(&mut self, ahead: usize, op: Op, piece: &Piece) -> bool {
        let at = self.at;
        self.at = (at + ahead).min(self.tokens.len() - 1);
        let starts = self.starts(op, piece);
        self.at = at;
        starts
    }

    fn takes_bare_keyword(&self, op: Op, index: u8) -> bool {
        matches!(op.row.attrs[index as usize].kind, AttrKind::Enum { wrapper: "", .. })
    }

    /// The number of tokens of a keyword, including its angle brackets.
    fn keyword_length(&self) -> usize {
        if self.kind_at(1) != Token::Less {
            return 1;
        }
        let close = (2..16).find(|&ahead| self.kind_at(ahead) == Token::Greater);
        close.map_or(1, |close| close + 1)
    }

    /// Finds the piece to continue with: the first one that fits the current token, otherwise one that fits after
    /// skipping tokens. `None` if the statement ends first.
    fn resync(&mut self, op: Op, pieces: &[Piece]) -> Option<usize> {
        let mut error = None;
        let found = loop {
            let body = |piece: &Piece| matches!(piece, Piece::Region(_));
            if let Some(found) = pieces.iter().position(|piece| self.starts(op, piece)) {
                break Some(found);
            }
            if self.at_statement_end() {
                // The brace of a region is missing, but its statements are there.
                let region = pieces.iter().position(body);
                break region.filter(|_| !matches!(self.kind(), Token::End | Token::RightBrace));
            }
            if op.in_group {
                break None;
            }
            error.get_or_insert_with(|| self.open(NodeKind::Error));
            self.skip_group();
        };
        if let Some(node) = error {
            self.close(node);
        }
        // The piece itself parses a region without its brace.
        match found {
            Some(index) if !self.starts(op, &pieces[index]) => {
                self.piece(op, &pieces[index]);
                Some(index + 1)
            }
            other => other,
        }
    }

    /// Whether the current token can be the first of this piece.
    pub(super) fn starts(&self, op: Op, piece: &Piece) -> bool {
        match piece {
            Piece::Operand(_) => self.kind() == Token::Value && !self.starts_assignment(),
            Piece::Mixed { .. } => matches!(self.kind(), Token::Value | Token::Integer | Token::Minus),
            Piece::Attr { index, .. } => self.starts_attr(op, *index),
            Piece::Region(index) => match op.row.regions[*index as usize].args {
                tile_dialect::RegionArgs::Listed => matches!(self.kind(), Token::LeftParen | Token::LeftBrace),
                _ => self.kind() == Token::LeftBrace,
            },
            Piece::FunctionType(..) => self.kind() == Token::LeftParen,
            Piece::Type(_) | Piece::TypeArrow { .. } => self.starts_type(),
            Piece::Word(word) => self.is_word(word),
            Piece::Punct { mark, .. } => self.kind() == token_of(*mark),
            Piece::Group(pieces) => self.starts_group(op, pieces),
            Piece::AnyOrder(pieces) => pieces.iter().any(|piece| self.starts(op, piece)),
            Piece::Argument(_) => self.kind() == Token::Value,
            Piece::Bind { .. } => matches!(self.kind(), Token::Value | Token::Equal),
            Piece::Signature(_) => matches!(self.kind(), Token::LeftParen | Token::Value),
            Piece::Dict(false) => self.kind() == Token::LeftBrace && self.is_dict(),
            Piece::Dict(true) => self.is_word("attributes"),
        }
    }

    fn starts_group(&self, op: Op, pieces: &[Piece]) -> bool {
        if !self.starts(op, &pieces[0]) {
            return false;
        }
        // `, %mask` and `, tile<i1>` both start with a comma; the next token decides.
        match pieces {
            [Piece::Punct { mark: Punct::Comma, .. }, Piece::Operand(operand), ..] => match self.kind_at(1) {
                Token::Value => true,
                // A word before the types takes the place of a value.
                Token::Name => self.kind_at(2) == Token::Colon || self.is_named_operand(1, op),
                Token::Integer | Token::Float | Token::Minus => true,
                Token::Colon => is_optional_operand(op, *operand),
                _ => false,
            },
            _ => true,
        }
    }

    fn piece(&mut self, op: Op, piece: &Piece) {
        match piece {
            Piece::Operand(index) => self.operands(op, *index),
            Piece::Mixed { operand, .. } => self.mixed(*operand),
            Piece::Attr { index, .. } => self.attr(op, *index),
            Piece::Region(index) => self.op_region(op, *index),
            Piece::Type(index) => self.types(op, *index),
            Piece::FunctionType(operands, results) => self.function_types(*operands, *results),
            Piece::TypeArrow { before, after } => self.type_arrow(op, before, *after),
            Piece::Word(_) | Piece::Punct { .. } => self.bump(),
            Piece::Group(pieces) => self.pieces(Op { in_group: true, ..op }, pieces),
            Piece::AnyOrder(pieces) => self.any_order(op, pieces),
            Piece::Argument(region) => self.leaf(NodeKind::BlockArg, *region),
            Piece::Bind { region, operand } => self.bind(*region, *operand),
            Piece::Signature(region) => self.signature(*region),
            Piece::Dict(keyword) => {
                if *keyword {
                    self.bump();
                }
                self.dict(NodeKind::Dict);
            }
        }
    }

    /// Reports the first of these pieces as missing. A mark is reported together with what it introduces.
    fn missing(&mut self, op: Op, pieces: &[Piece]) {
        if let Piece::Punct { mark: mark @ (Punct::Colon | Punct::Arrow), .. } = &pieces[0]
            && !self.first_on_line()
            && !self.at_statement_end()
            && self.is_on_line(token_of(*mark))
        {
            // The first error of the op explains the others.
            if !self.has_op_error() {
                self.error_here(ErrorKind::Misplaced(op.row.op));
            }
            return;
        }
        let expected = match (&pieces[0], pieces.get(1)) {
            // Types after a misplaced token are parsed at that token.
            (Piece::Punct { mark: Punct::Comma, .. }, Some(Piece::Type(_))) if self.has_op_error() => return,
            (Piece::Punct { mark: Punct::Comma, .. }, Some(Piece::Word(word))) if !self.is_word(word) => {
                Expected::Clause(op.row.op, word)
            }
            (Piece::Punct { mark: Punct::Comma, .. }, Some(Piece::Attr { index, optional: false }))
                if self.kind() != Token::Name =>
            {
                Expected::Attr(op.row.op, *index)
            }
            (Piece::Punct { mark: Punct::Comma, .. }, Some(Piece::Operand(index)))
                if matches!(self.kind(), Token::Colon | Token::Arrow | Token::LeftBracket | Token::End)
                    || self.first_on_line() =>
            {
                Expected::Operand(op.row.op, *index)
            }
            (
                Piece::Punct { mark: mark @ (Punct::Colon | Punct::Arrow), .. },
                Some(Piece::Type(_) | Piece::TypeArrow { .. }),
            ) if !self.starts_type() || self.first_on_line() => Expected::Types(op.row.op, *mark),
            (Piece::Operand(index) | Piece::Mixed { operand: index, .. }, _) => Expected::Operand(op.row.op, *index),
            (Piece::Attr { index, .. }, _) => return self.missing_attr(op, *index),
            (Piece::Region(_), _) => Expected::Text("{"),
            (Piece::Type(_) | Piece::TypeArrow { .. }, _) => return self.expected_type(),
            (Piece::Word(word), Some(Piece::Punct { mark: Punct::Equal, .. })) => {
                return self.expected_word(Expected::Clause(op.row.op, word));
            }
            (Piece::Word(word), _) => return self.expected_word(Expected::Text(word)),
            (Piece::Punct { mark, .. }, _) => Expected::Text(mark.text()),
            (Piece::Argument(_) | Piece::Bind { .. }, _) => Expected::Value,
            (Piece::Signature(_) | Piece::FunctionType(..), _) => Expected::Text("("),
            (Piece::Group(_) | Piece::AnyOrder(_) | Piece::Dict(_), _) => return,
        };
        self.expected(expected);
    }

    /// Whether a token of this kind follows on the same line.
    fn is_on_line(&self, kind: Token) -> bool {
        let mut ahead = (self.at..self.tokens.len()).enumerate();
        let mut line =
            ahead.by_ref().take_while(|&(number, at)| number == 0 || !self.tokens.is_first_on_line(at, self.text));
        line.any(|(_, at)| self.tokens.kind(at) == kind)
    }

    /// Reports a missing attribute. A word in the position of an enum's keyword is a wrong keyword rather than a
    /// missing one.
    fn missing_attr(&mut self, op: Op, index: u8) {
        let is_found = match op.row.attrs[index as usize].kind {
            AttrKind::Dense => self.lost_angle(index, Token::Colon) || self.bare_literal(op, index),
            AttrKind::Hints => self.lost_angle(index, Token::Equal),
            _ => false,
        };
        if is_found {
            return;
        }
        let is_keyword = matches!(op.row.attrs[index as usize].kind, AttrKind::Enum { .. })
            && self.kind() == Token::Name
            && !(self.first_on_line() && self.starts_statement());
        if is_keyword {
            self.error_here(ErrorKind::BadKeyword(op.row.op, index));
        } else {
            self.expected(Expected::Attr(op.row.op, index));
        }
    }

    /// Parses `i32: 1>` or `sm_90 = {}>`, a constant or hints without the opening bracket. Returns whether there was
    /// one; `after_name` is the token after its first name.
    fn lost_angle(&mut self, index: u8, after_name: Token) -> bool {
        if self.kind() != Token::Name || self.kind_at(1) != after_name {
            return false;
        }
        let end = (2..MAX_LOOKAHEAD).find(|&ahead| {
            let at = self.at + ahead;
            self.kind_at(ahead) == Token::Greater
                || at >= self.tokens.len()
                || self.tokens.is_first_on_line(at, self.text)
        });
        let Some(end) = end.filter(|&end| self.kind_at(end) == Token::Greater) else { return false };
        self.expected(Expected::Text("<"));
        let node = self.open_slot(NodeKind::Attr, index);
        self.at += end + 1;
        self.close(node);
        true
    }

    fn operands(&mut self, op: Op, index: u8) {
        self.operand(index);
        self.more_operands(op, index);
    }

    /// Parses the operands after the first of a variadic group.
    fn more_operands(&mut self, op: Op, index: u8) {
        if op.row.operands[index as usize].arity != Arity::Variadic {
            return;
        }
        loop {
            if self.kind() == Token::Comma && self.kind_at(1) == Token::Value {
                self.bump();
            } else if self.kind() == Token::Comma && matches!(self.kind_at(1), Token::Integer | Token::Float) {
                self.bump();
                self.literal_operand(op, index);
                continue;
            } else if self.kind() == Token::Value && !self.first_on_line() && !self.starts_assignment() {
                self.expected(Expected::Text(","));
            } else {
                return;
            }
            self.operand(index);
        }
    }

    /// Parses the use of a value: `%a` or `%a#1`.
    pub(super) fn operand(&mut self, slot: u8) {
        let node = self.open_slot(NodeKind::Operand, slot);
        self.bump();
        if self.kind() == Token::AttrName && self.token_text(0)[1..].bytes().all(|b| b.is_ascii_digit()) {
            self.bump();
        }
        self.close(node);
    }

    /// Parses `4, %n, 1`.
    fn mixed(&mut self, index: u8) {
        loop {
            match self.kind() {
                Token::Value => self.operand(index),
                Token::Integer | Token::Minus => {
                    let node = self.open_slot(NodeKind::Number, index);
                    self.eat(Token::Minus);
                    self.eat(Token::Integer);
                    self.close(node);
                }
                _ => {
                    self.expected(Expected::Value);
                    return;
                }
            }
            if !self.eat(Token::Comma) {
                return;
            }
        }
    }

    /// Parses `%a = %init, …`.
    fn bind(&mut self, region: u8, operand: u8) {
        loop {
            if self.kind() == Token::Value {
                self.leaf(NodeKind::BlockArg, region);
            } else {
                self.expected(Expected::Value);
            }
            self.expect(Token::Equal, "=");
            if self.kind() == Token::Value {
                self.operand(operand);
            } else {
                self.expected(Expected::Value);
            }
            if !(self.kind() == Token::Comma && matches!(self.kind_at(1), Token::Value | Token::Equal)) {
                return;
            }
            self.bump();
        }
    }

    fn types(&mut self, op: Op, index: u8) {
        self.ty(index);
        if op.form.types[index as usize].count == TypeCount::One {
            return;
        }
        while self.kind() == Token::Comma {
            self.bump();
            if !self.starts_type() {
                self.expected_type();
                return;
            }
            self.ty(index);
        }
    }

    /// Parses `[T[, T] ->] T`. Whether an arrow follows the first type determines which of them it is.
    fn type_arrow(&mut self, op: Op, before: &[u8], after: u8) {
        let node = self.nodes.len();
        // The types before the arrow are scalars.
        let is_before = self.is_word("tile") && self.kind_at(2) == Token::Name;
        let is_pointer = is_before && self.token_text(2) == "ptr";
        let (first, last) = (before[0], before[before.len() - 1]);
        self.ty(if is_pointer { first } else { last });
        if before.len() > 1 && self.kind() == Token::Comma && self.starts_at(1, op, &Piece::Type(last)) {
            self.nodes[node].slot = first;
            self.bump();
            self.ty(last);
        }
        if self.eat(Token::Arrow) {
            if self.starts_type() {
                self.ty(after);
            } else {
                self.expected_type();
            }
        } else if is_before && matches!(op.row.results, [result] if matches!(result.class, Class::TensorView)) {
            self.expected(Expected::Text("->"));
        } else {
            self.nodes[node].slot = after;
        }
    }

    fn any_order(&mut self, op: Op, pieces: &[Piece]) {
        let mut left: Vec<&Piece> = pieces.iter().collect();
        while let Some(found) = left.iter().position(|piece| self.starts(op, piece)) {
            self.piece(op, left.remove(found));
        }
    }

    /// Parses `loc(…)` after an op or an argument, if it is present.
    pub(super) fn location(&mut self) {
        if self.is_word("loc") && self.kind_at(1) == Token::LeftParen {
            let node = self.open_slot(NodeKind::Location, NO_SLOT);
            self.bump();
            self.balanced();
            self.close(node);
        }
    }
}

/// Whether the piece is a comma, after which something must follow.
fn is_comma(piece: &Piece) -> bool {
    matches!(piece, Piece::Punct { mark: Punct::Comma, .. })
}

/// Whether an operand of the op is optional.
fn is_optional_operand(op: Op, operand: u8) -> bool {
    op.row.operands[operand as usize].arity == tile_dialect::Arity::Optional
}

/// Whether the piece can be absent.
fn is_optional(op: Op, piece: &Piece) -> bool {
    match piece {
        Piece::Attr { optional, .. } => *optional,
        Piece::Group(_) | Piece::AnyOrder(_) | Piece::Dict(_) => true,
        // `[]` contains no operands. That a list must not be empty is a rule of the op.
        Piece::Mixed { .. } => true,
        Piece::Operand(index) => op.row.operands[*index as usize].arity == Arity::Variadic,
        _ => false,
    }
}
