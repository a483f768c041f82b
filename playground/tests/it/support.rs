//! A playground, as the page uses it.

use serde_json::{Value, json};
use std::sync::Mutex;
use tile_playground::Playground;

/// Doubles a vector. The tile that it stores is `store`.
pub(crate) fn scale(store: &str) -> String {
    let view = "partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>";
    format!(
        "// → doubles \u{1f600}
cuda_tile.module @kernels {{
  //@ launch grid=(2, 1, 1)
  //@   %x = f32[256] iota
  //@   %y = f32[256] zeros
  //@ expect %y == 2 * %x
  entry @scale(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %ty = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vx = make_partition_view %tx : {view}
    %vy = make_partition_view %ty : {view}
    %a, %t = load_view_tko weak %vx[%block] : {view}, tile<i32> -> tile<128xf32>, token
    %b = addf %a, %a : tile<128xf32>
    %u = store_view_tko weak %b, %vy[{store}] : tile<128xf32>, {view}, tile<i32> -> token
    print_tko \"block %i\\n\", %block : tile<i32> -> token
    return
  }}
}}
"
    )
}

/// A playground with a text.
pub(crate) struct Page {
    playground: Playground,
    pub(crate) text: String,
    /// What runs have printed.
    pub(crate) printed: String,
}

impl Page {
    pub(crate) fn open(text: &str) -> Page {
        let mut page = Page { playground: Playground::new(), text: text.to_string(), printed: String::new() };
        page.ask(json!({ "method": "open", "text": text }));
        page
    }

    /// The answer to a request, or the reason why there is none.
    pub(crate) fn try_ask(&mut self, request: Value) -> Result<Value, String> {
        self.raw(&request.to_string())
    }

    pub(crate) fn raw(&mut self, request: &str) -> Result<Value, String> {
        let printed = Mutex::new(String::new());
        let events = |event: &str| {
            let event: Value = serde_json::from_str(event).expect("events are JSON");
            let text = event["printed"].as_str().expect("all events are printed text");
            printed.lock().expect("no test panics here").push_str(text);
        };
        let answer = self.playground.answer(request, &events);
        self.printed += &printed.into_inner().expect("no test panics here");
        let mut answer: Value = serde_json::from_str(&answer).expect("answers are JSON");
        match answer["error"].take() {
            Value::String(message) => Err(message),
            _ => Ok(answer["ok"].take()),
        }
    }

    #[track_caller]
    pub(crate) fn ask(&mut self, request: Value) -> Value {
        self.try_ask(request).expect("the request is answered")
    }

    /// The position of the first occurrence of a text, in UTF-16 code units.
    pub(crate) fn at(&self, text: &str) -> usize {
        let byte = self.text.find(text).expect("the text contains it");
        self.text[..byte].encode_utf16().count()
    }

    /// The text at a range in UTF-16 code units.
    pub(crate) fn slice(&self, range: &Value) -> String {
        let units: Vec<u16> = self.text.encode_utf16().collect();
        let [from, to] = [0, 1].map(|index| range[index].as_u64().expect("a range has two numbers") as usize);
        String::from_utf16_lossy(&units[from..to])
    }

    pub(crate) fn run(&mut self, sanitize: bool) -> Value {
        let request = json!({ "method": "run", "entry": "scale", "launch": 0, "sanitize": sanitize });
        self.ask(request)
    }
}
