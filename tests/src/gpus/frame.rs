//! The entry around the ops of a template: provides their inputs and stores their results.

use std::fmt::Write;

/// A value of a template, such as `%a: 16x16xf32`.
pub(super) struct Value {
    name: String,
    extents: Vec<u32>,
    element: String,
}

/// An entry under construction.
#[derive(Default)]
pub(super) struct Frame {
    parameters: Vec<String>,
    body: String,
}

impl Value {
    /// Parses a comma-separated list of values.
    pub(super) fn list(text: &str) -> Vec<Value> {
        text.split(", %").filter(|value| !value.is_empty()).map(Value::read).collect()
    }

    fn read(text: &str) -> Value {
        let (name, ty) = text.split_once(": ").expect("a value is written `%name: type`");
        let name = format!("%{}", name.trim_start_matches('%'));
        let (mut extents, mut element) = (Vec::new(), ty);
        while let Some((first, rest)) = element.split_once('x') {
            let Ok(extent) = first.parse() else { break };
            (element, _) = (rest, extents.push(extent));
        }
        Value { name, extents, element: element.to_string() }
    }

    /// A value of the same shape with another element type; its name is this one's with a suffix.
    fn with_element(&self, suffix: &str, element: &str) -> Value {
        let name = format!("{}_{suffix}", self.name);
        Value { name, extents: self.extents.clone(), element: element.to_string() }
    }

    fn is_pointer(&self) -> bool {
        self.element.starts_with("ptr<")
    }

    fn shape(&self) -> String {
        self.extents.iter().map(|extent| format!("{extent}x")).collect()
    }

    /// Its type.
    fn tile(&self) -> String {
        format!("tile<{}{}>", self.shape(), self.element)
    }

    /// The type of a pointer to its first element.
    fn pointer(&self) -> String {
        format!("tile<ptr<{}>>", self.element)
    }

    /// The type of a tensor view of exactly its elements.
    fn tensor(&self) -> String {
        format!("tensor_view<{}{}, strides={}>", self.shape(), self.element, self.strides())
    }

    fn view(&self) -> String {
        let extents: Vec<String> = self.extents.iter().map(u32::to_string).collect();
        format!("partition_view<tile=({}), {}>", extents.join("x"), self.tensor())
    }

    fn strides(&self) -> String {
        let stride = |dim: usize| self.extents[dim + 1..].iter().product::<u32>();
        format!("{:?}", (0..self.extents.len()).map(stride).collect::<Vec<_>>())
    }
}

impl Frame {
    /// Adds a statement.
    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.body, "    {line}").expect("writing to a string succeeds");
    }

    fn parameter(&mut self, name: &str, ty: &str) {
        self.parameters.push(format!("{name}: {ty}"));
    }

    /// Provides a value: a scalar is a parameter, a tile is loaded.
    pub(super) fn input(&mut self, value: &Value) {
        match () {
            () if value.extents.is_empty() => self.parameter(&value.name, &value.tile()),
            () if value.is_pointer() => self.pointers(value),
            // `i4` cannot be loaded.
            () if value.element == "i4" => {
                let bytes = value.with_element("bytes", "i8");
                self.input(&bytes);
                let (name, from, to) = (&value.name, bytes.tile(), value.tile());
                self.line(&format!("{name} = trunci {} : {from} -> {to}", bytes.name));
            }
            () => {
                let view = self.view_of(value);
                let (name, zeros, tile) = (&value.name, self.zeros(value), value.tile());
                self.line(&format!(
                    "{name}, {name}_t = load_view_tko weak {view}[{zeros}] : {}, tile<i32> -> {tile}, token",
                    value.view()
                ));
            }
        }
    }

    /// Adds a tile of pointers to consecutive elements.
    fn pointers(&mut self, value: &Value) {
        let (name, element, extent) = (&value.name, &value.element, value.extents[0]);
        self.parameter(&format!("{name}_p"), &format!("tile<{element}>"));
        self.line(&format!("{name}_1 = reshape {name}_p : tile<{element}> -> tile<1x{element}>"));
        self.line(&format!("{name}_n = broadcast {name}_1 : tile<1x{element}> -> {}", value.tile()));
        self.line(&format!("{name}_i = iota : tile<{extent}xi32>"));
        let tile = value.tile();
        self.line(&format!("{name} = offset {name}_n, {name}_i : {tile}, tile<{extent}xi32> -> {tile}"));
    }

    /// Stores a value, so that the ops that compute it are not dead code.
    pub(super) fn output(&mut self, value: &Value) {
        let (name, tile) = (&value.name, value.tile());
        if value.is_pointer() {
            let number = value.with_element("number", "i64");
            self.line(&format!("{} = ptr_to_int {name} : {tile} -> {}", number.name, number.tile()));
            self.output(&number);
        } else if value.element == "i4" {
            let bytes = value.with_element("bytes", "i8");
            self.line(&format!("{} = exti {name} signed : {tile} -> {}", bytes.name, bytes.tile()));
            self.output(&bytes);
        } else if value.extents.is_empty() {
            self.parameter(&format!("{name}_p"), &value.pointer());
            let types = format!("{}, {tile}", value.pointer());
            self.line(&format!("{name}_t = store_ptr_tko weak {name}_p, {name} : {types} -> token"));
        } else {
            let view = self.view_of(value);
            let zeros = self.zeros(value);
            let types = format!("{tile}, {}, tile<i32>", value.view());
            self.line(&format!("{name}_t = store_view_tko weak {name}, {view}[{zeros}] : {types} -> token"));
        }
    }

    /// Adds a view of memory for a value and returns the name of the view.
    fn view_of(&mut self, value: &Value) -> String {
        let (name, extents, strides) = (&value.name, &value.extents, value.strides());
        self.parameter(&format!("{name}_p"), &value.pointer());
        let tensor = value.tensor();
        self.line(&format!(
            "{name}_m = make_tensor_view {name}_p, shape = {extents:?}, strides = {strides} : {tensor}"
        ));
        self.line(&format!("{name}_v = make_partition_view {name}_m : {}", value.view()));
        self.line(&format!("{name}_z = constant <i32: 0> : tile<i32>"));
        format!("{name}_v")
    }

    fn zeros(&self, value: &Value) -> String {
        vec![format!("{}_z", value.name); value.extents.len()].join(", ")
    }

    /// The whole entry.
    pub(super) fn entry(self, name: &str) -> String {
        format!("  entry @{name}({}) {{\n{}  }}\n", self.parameters.join(", "), self.body)
    }
}
