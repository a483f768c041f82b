//! Expansion of the templates in `gpus/programs.toml`.

use super::frame::{Frame, Value};
use crate::root;
use tile_dialect::ELEMENTS;
use toml::{Table, Value as Toml};

/// The placeholders of element types.
const PLACEHOLDERS: [&str; 4] = ["$A", "$B", "$C", "$D"];

/// One expansion of a template.
pub(super) struct Program {
    /// The ops under test, the element types and the other choices: unique, and stable over versions.
    pub(super) key: String,
    /// The ops under test.
    pub(super) ops: Vec<String>,
    /// The text of its entry and of the globals that it uses.
    pub(super) item: String,
}

/// A template with some of its placeholders replaced.
#[derive(Clone)]
struct Template {
    key: String,
    ops: Vec<String>,
    global: String,
    inputs: String,
    outputs: String,
    body: String,
}

/// All programs of all templates, valid or not.
pub(super) fn all() -> Vec<Program> {
    let path = root().join("tests/gpus/programs.toml");
    let text = std::fs::read_to_string(&path).expect("the templates are readable");
    let table: Table = text.parse().expect("the templates are TOML");
    let templates = table["program"].as_array().expect("a list of templates").iter().flat_map(chosen);
    templates.flat_map(with_elements).enumerate().map(|(index, template)| template.program(index)).collect()
}

fn words(value: &Toml) -> Vec<String> {
    let words = value.as_array().expect("a list").iter();
    words.map(|word| word.as_str().expect("a list of strings").to_string()).collect()
}

/// Expands a template for each combination of its choices.
fn chosen(row: &Toml) -> Vec<Template> {
    let text = |name: &str| row.get(name).map_or("", |text| text.as_str().expect(name)).to_string();
    let template = Template {
        key: String::new(),
        ops: words(&row["ops"]),
        global: text("global"),
        inputs: text("in"),
        outputs: text("out"),
        body: text("body"),
    };
    let named = |template: Template| match text("is") {
        word if word.is_empty() => template,
        word => template.named(&word),
    };
    let mut all: Vec<Template> = if template.uses("$op") {
        template.ops.iter().map(|op| named(template.with("$op", op).of(vec![op.clone()]))).collect()
    } else {
        vec![named(template.of(template.ops.clone()))]
    };
    // Reverse order, because the values of a choice can refer to one that precedes it alphabetically.
    for (name, values) in row.get("vary").and_then(Toml::as_table).into_iter().flatten().rev() {
        let values = words(values);
        let with = |template: Template| values.clone().into_iter().map(move |value| template.choose(name, &value));
        all = all.into_iter().flat_map(with).collect();
    }
    all
}

/// Expands a template for each combination of element types.
fn with_elements(template: Template) -> Vec<Template> {
    let mut all = vec![template];
    for placeholder in PLACEHOLDERS {
        let with = |template: Template| {
            if template.uses(placeholder) {
                ELEMENTS.iter().map(|row| template.with(placeholder, row.name).named(row.name)).collect()
            } else {
                vec![template]
            }
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}

impl Template {
    fn uses(&self, placeholder: &str) -> bool {
        [&self.global, &self.inputs, &self.outputs, &self.body].iter().any(|text| text.contains(placeholder))
    }

    fn with(&self, placeholder: &str, value: &str) -> Template {
        let replaced = |text: &String| text.replace(placeholder, value);
        Template {
            key: self.key.clone(),
            ops: self.ops.clone(),
            global: replaced(&self.global),
            inputs: replaced(&self.inputs),
            outputs: replaced(&self.outputs),
            body: replaced(&self.body),
        }
    }

    fn named(mut self, word: &str) -> Template {
        self.key = format!("{} {word}", self.key);
        self
    }

    fn of(&self, ops: Vec<String>) -> Template {
        Template { key: ops.join(","), ops, ..self.clone() }
    }

    fn choose(&self, name: &str, value: &str) -> Template {
        let word = format!("{name}={}", value.replace(' ', "_"));
        self.with(&format!("${name}"), value).named(&word)
    }

    fn program(self, index: usize) -> Program {
        let with_index = self.with("$index", &index.to_string());
        let mut frame = Frame::default();
        Value::list(&self.inputs).iter().for_each(|input| frame.input(input));
        with_index.body.lines().for_each(|line| frame.line(line));
        Value::list(&self.outputs).iter().for_each(|output| frame.output(output));
        let global = if self.global.is_empty() { String::new() } else { format!("  {}\n", with_index.global) };
        Program { key: self.key, ops: self.ops, item: global + &frame.entry(&format!("e{index}")) }
    }
}
