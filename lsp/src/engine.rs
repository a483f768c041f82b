//! The database, and the thread that writes it.
//!
//! The thread processes orders one after the other. It writes texts itself, and hands work on the current texts to
//! other threads with a clone of the database. A write cancels the work on older texts, and its requester gets an
//! error. If no order is queued, work is handed out directly.

use crate::crash;
use crate::project::Rules;
use ropey::Rope;
use salsa::Cancelled;
use std::collections::HashMap;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Accepts orders. The thread ends when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Engine {
    orders: mpsc::Sender<Order>,
    store: Arc<Store>,
}

/// Why a piece of work has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unanswered {
    /// A text was written in the meantime.
    Cancelled,
    /// The document is unknown.
    Failed,
    /// The work panicked; the message says where the report is.
    Panicked(Arc<str>),
}

/// A future result.
pub(crate) struct Answer<T>(oneshot::Receiver<Result<T, Unanswered>>);

impl<T> Answer<T> {
    /// Waits for the result.
    pub(crate) async fn wait(self) -> Result<T, Unanswered> {
        self.0.await.unwrap_or(Err(Unanswered::Failed))
    }
}

type Work = Box<dyn FnOnce(Result<(Database, File), Unanswered>) + Send>;

/// Bytes of a text that were replaced, and their replacement.
pub(crate) type Replaced = (Range<usize>, String);

enum Order {
    Write(Arc<str>, Rope),
    Edit(Arc<str>, Rope, Vec<Replaced>),
    Forget(Arc<str>),
    Options(Options),
    Rules(Arc<str>, Rules),
    Work(Arc<str>, Work),
}

impl Engine {
    /// Starts the thread. Work runs on the blocking threads of the current runtime.
    pub(crate) fn start() -> Engine {
        let (orders, queue) = mpsc::channel();
        let store =
            Arc::new(Store { texts: Mutex::default(), waiting: AtomicUsize::new(0), runtime: Handle::current() });
        let owner = store.clone();
        std::thread::spawn(move || owner.serve(&queue));
        Engine { orders, store }
    }

    /// Sets the text of a document.
    pub(crate) fn write(&self, document: Arc<str>, text: Rope) {
        self.order(Order::Write(document, text));
    }

    /// Replaces parts of a document's text, one after the other. `text` is the result.
    pub(crate) fn edit(&self, document: Arc<str>, text: Rope, replaced: Vec<Replaced>) {
        self.order(Order::Edit(document, text, replaced));
    }

    /// Drops the text of a document.
    pub(crate) fn forget(&self, document: Arc<str>) {
        self.order(Order::Forget(document));
    }

    /// Sets the options that all texts are checked with.
    pub(crate) fn set_options(&self, options: Options) {
        self.order(Order::Options(options));
    }

    /// Sets the rules of a document's project.
    pub(crate) fn set_rules(&self, document: Arc<str>, rules: Rules) {
        self.order(Order::Rules(document, rules));
    }

    /// Runs `work` on the texts as left by all earlier orders. The work is queued immediately, not when the
    /// answer is first awaited.
    pub(crate) fn work<T: Send + 'static>(
        &self,
        document: Arc<str>,
        work: impl FnOnce(&Database, File) -> T + Send + 'static,
    ) -> Answer<T> {
        let (send, answer) = oneshot::channel();
        let done: Work = Box::new(move |texts| {
            let name = std::any::type_name_of_val(&work);
            let done = texts.and_then(|(db, file)| {
                let done = crash::caught(name, || Cancelled::catch(AssertUnwindSafe(|| work(&db, file))));
                done.map_err(Unanswered::Panicked)?.map_err(|_| Unanswered::Cancelled)
            });
            // The requester may be gone.
            let _ = send.send(done);
        });
        match self.store.texts.try_lock() {
            Ok(texts) if self.store.waiting.load(Ordering::Acquire) == 0 => {
                self.store.hand_out(&texts, &document, done)
            }
            _ => self.order(Order::Work(document, done)),
        }
        Answer(answer)
    }

    fn order(&self, order: Order) {
        self.store.waiting.fetch_add(1, Ordering::AcqRel);
        // The thread lives as long as an `Engine` does.
        let _ = self.orders.send(order);
    }
}

/// The state shared by the thread and the clones of [`Engine`].
struct Store {
    texts: Mutex<Texts>,
    /// The number of orders that are not yet processed.
    waiting: AtomicUsize,
    runtime: Handle,
}

#[derive(Default)]
struct Texts {
    db: Database,
    files: HashMap<Arc<str>, Known>,
    /// Files of closed documents, which are empty. They are reused, because the database cannot delete them.
    spare: Vec<File>,
    options: Options,
}

/// The state of a document.
struct Known {
    file: File,
    /// The rules of its project.
    rules: Rules,
    /// Whether the file holds the document's text, or why not.
    state: Result<(), Unanswered>,
}

impl Store {
    /// Processes orders until the last `Engine` is dropped.
    fn serve(&self, queue: &mpsc::Receiver<Order>) {
        while let Ok(order) = queue.recv() {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            // The thread must survive a panic, because it serves all requests. The requester gets an error, because a
            // panic drops the sender of its answer.
            let _ = crash::caught("an engine order", || self.carry_out(&mut texts, order));
            self.waiting.fetch_sub(1, Ordering::AcqRel);
        }
    }

    fn carry_out(&self, texts: &mut Texts, order: Order) {
        match order {
            Order::Write(document, text) => texts.change(document, &text, None),
            Order::Edit(document, text, replaced) => texts.change(document, &text, Some(replaced)),
            Order::Forget(document) => texts.forget(&document),
            Order::Options(options) => texts.set_options(options),
            Order::Rules(document, rules) => texts.set_rules(&document, rules),
            Order::Work(document, work) => self.hand_out(texts, &document, work),
        }
    }

    fn hand_out(&self, texts: &Texts, document: &str, work: Work) {
        let known = texts.files.get(document).ok_or(Unanswered::Failed);
        let file = known.and_then(|known| known.state.clone().map(|()| (texts.db.clone(), known.file)));
        self.runtime.spawn_blocking(move || work(file));
    }
}

impl Known {
    fn set_options(&mut self, db: &mut Database, options: Options) {
        let done = crash::caught("a change of settings", || self.file.set_options(db, self.rules.over(options)));
        if let Err(why) = done {
            self.state = Err(Unanswered::Panicked(why));
        }
    }
}

impl Texts {
    /// Sets the text of a document. With `replaced`, the differences from the last text, this is faster. If a text
    /// makes the parser panic, the document has no answers until its next change.
    fn change(&mut self, document: Arc<str>, text: &Rope, replaced: Option<Vec<Replaced>>) {
        let (db, options) = (&mut self.db, self.options);
        let known = self.files.entry(document).or_insert_with(|| {
            let file = self.spare.pop().unwrap_or_else(|| File::new(db, "".into(), options));
            file.set_options(db, options);
            Known { file, rules: Rules::default(), state: Err(Unanswered::Failed) }
        });
        let file = known.file;
        let done = crash::caught("a change of a text", || match replaced.as_deref() {
            Some([(replaced, content)]) if known.state.is_ok() => file.edit(db, replaced.clone(), content),
            _ => file.write(db, &String::from(text)),
        });
        known.state = done.map_err(Unanswered::Panicked);
    }

    fn set_options(&mut self, options: Options) {
        self.options = options;
        self.files.values_mut().for_each(|known| known.set_options(&mut self.db, options));
    }

    fn set_rules(&mut self, document: &str, rules: Rules) {
        if let Some(known) = self.files.get_mut(document)
            && known.rules != rules
        {
            known.rules = rules;
            known.set_options(&mut self.db, self.options);
        }
    }

    /// Drops a document and what was computed about it.
    fn forget(&mut self, document: &str) {
        if let Some(known) = self.files.remove(document) {
            db::clear(&mut self.db, known.file);
            self.spare.push(known.file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn length(engine: &Engine) -> Result<usize, Unanswered> {
        engine.work("a".into(), |db, file| file.text(db).len()).wait().await
    }

    #[tokio::test]
    async fn work_sees_what_was_written_before() {
        let engine = Engine::start();
        for length_now in [3, 0, 5] {
            engine.write("a".into(), Rope::from_str(&"x".repeat(length_now)));
            assert_eq!(length(&engine).await, Ok(length_now));
        }
        engine.forget("a".into());
        assert_eq!(length(&engine).await, Err(Unanswered::Failed));
        engine.edit("a".into(), Rope::from_str("xyz"), vec![(2..2, "z".to_string())]);
        assert_eq!(length(&engine).await, Ok(3));
        engine.edit("a".into(), Rope::from_str("xz"), vec![(1..2, String::new())]);
        assert_eq!(length(&engine).await, Ok(2));
    }

    #[tokio::test]
    async fn an_unknown_document_has_no_answer() {
        assert_eq!(length(&Engine::start()).await, Err(Unanswered::Failed));
    }

    #[tokio::test]
    async fn a_panic_costs_one_answer() {
        let engine = Engine::start();
        engine.write("a".into(), Rope::from_str("x"));
        let answer = engine.work("a".into(), |_, _| -> usize { panic!("this panic is part of a test") });
        assert!(matches!(answer.wait().await, Err(Unanswered::Panicked(_))));
        engine.write("a".into(), Rope::from_str("xy"));
        assert_eq!(length(&engine).await, Ok(2));
    }

    #[tokio::test]
    async fn a_write_cancels_running_work() {
        let engine = Engine::start();
        engine.write("a".into(), Rope::from_str("x"));
        let endless = engine.work("a".into(), |db, file| {
            loop {
                db::layout(db, file);
            }
        });
        engine.write("a".into(), Rope::from_str("xyz"));
        let answer: Result<(), Unanswered> = endless.wait().await;
        assert_eq!(answer, Err(Unanswered::Cancelled));
        assert_eq!(length(&engine).await, Ok(3));
    }
}
