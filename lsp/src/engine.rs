//! The database, and the thread that writes it.
//!
//! The thread takes orders one after the other. Texts are written; work on the texts as they are is handed to other
//! threads with a clone of the database. A write cancels work on older texts; who asked for that work learns it. Where no
//! order waits, work is handed out at once.

use ropey::Rope;
use salsa::{Cancelled, Setter};
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Takes orders. When the last clone is dropped the thread ends.
#[derive(Clone)]
pub(crate) struct Engine {
    orders: mpsc::Sender<Order>,
    store: Arc<Store>,
}

/// Why a piece of work has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unanswered {
    /// A text was written meanwhile.
    Cancelled,
    /// The work panicked, or there is no such document.
    Failed,
}

/// An answer to come.
pub(crate) struct Answer<T>(oneshot::Receiver<Result<T, Unanswered>>);

impl<T> Answer<T> {
    /// Waits for it.
    pub(crate) async fn wait(self) -> Result<T, Unanswered> {
        self.0.await.unwrap_or(Err(Unanswered::Failed))
    }
}

type Work = Box<dyn FnOnce(&Database, File) + Send>;

enum Order {
    Write(Arc<str>, Rope),
    Forget(Arc<str>),
    Options(Options),
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

    /// Gives a document this text.
    pub(crate) fn write(&self, document: Arc<str>, text: Rope) {
        self.order(Order::Write(document, text));
    }

    /// Drops the text of a document.
    pub(crate) fn forget(&self, document: Arc<str>) {
        self.order(Order::Forget(document));
    }

    /// Has all texts checked in this way from now on.
    pub(crate) fn set_options(&self, options: Options) {
        self.order(Order::Options(options));
    }

    /// Has a piece of work done on the texts as they are after all that was ordered before. It is ordered at once, not
    /// when the answer is first asked for.
    pub(crate) fn work<T: Send + 'static>(
        &self,
        document: Arc<str>,
        work: impl FnOnce(&Database, File) -> T + Send + 'static,
    ) -> Answer<T> {
        let (tell, answer) = oneshot::channel();
        let work: Work = Box::new(move |db, file| {
            let done = Cancelled::catch(AssertUnwindSafe(|| work(db, file)));
            // Nobody may be waiting any more.
            let _ = tell.send(done.map_err(|_| Unanswered::Cancelled));
        });
        match self.store.texts.try_lock() {
            Ok(texts) if self.store.waiting.load(Ordering::Acquire) == 0 => {
                self.store.hand_out(&texts, &document, work)
            }
            _ => self.order(Order::Work(document, work)),
        }
        Answer(answer)
    }

    fn order(&self, order: Order) {
        self.store.waiting.fetch_add(1, Ordering::AcqRel);
        // The thread lives as long as anybody can order.
        let _ = self.orders.send(order);
    }
}

/// What the thread shares with those who order.
struct Store {
    texts: Mutex<Texts>,
    /// How many orders are not carried out yet.
    waiting: AtomicUsize,
    runtime: Handle,
}

#[derive(Default)]
struct Texts {
    db: Database,
    files: HashMap<Arc<str>, File>,
    options: Options,
}

impl Store {
    /// Carries out orders until nobody can order any more.
    fn serve(&self, queue: &mpsc::Receiver<Order>) {
        while let Ok(order) = queue.recv() {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            match order {
                Order::Write(document, text) => texts.write(document, &text),
                Order::Forget(document) => texts.forget(&document),
                Order::Options(options) => texts.set_options(options),
                Order::Work(document, work) => self.hand_out(&texts, &document, work),
            }
            self.waiting.fetch_sub(1, Ordering::AcqRel);
        }
    }

    fn hand_out(&self, texts: &Texts, document: &str, work: Work) {
        if let Some(&file) = texts.files.get(document) {
            let db = texts.db.clone();
            self.runtime.spawn_blocking(move || work(&db, file));
        }
    }
}

impl Texts {
    fn write(&mut self, document: Arc<str>, text: &Rope) {
        let text = Arc::from(String::from(text));
        match self.files.get(&document) {
            Some(&file) => _ = file.set_text(&mut self.db).to(text),
            None => _ = self.files.insert(document, File::new(&self.db, text, self.options)),
        }
    }

    fn set_options(&mut self, options: Options) {
        self.options = options;
        for file in self.files.values() {
            if file.options(&self.db) != options {
                file.set_options(&mut self.db).to(options);
            }
        }
    }

    /// The database cannot drop a file, but without its text nothing of it is left.
    fn forget(&mut self, document: &str) {
        if let Some(&file) = self.files.get(document) {
            file.set_text(&mut self.db).to("".into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::db;

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
        assert_eq!(length(&engine).await, Ok(0));
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
        assert_eq!(answer.wait().await, Err(Unanswered::Failed));
        engine.write("a".into(), Rope::from_str("xy"));
        assert_eq!(length(&engine).await, Ok(2));
    }

    #[tokio::test]
    async fn a_write_cancels_work_that_goes_on() {
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
