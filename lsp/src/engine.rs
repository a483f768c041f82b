//! The thread that owns the database.
//!
//! It takes orders one after the other: texts are written, and work on the texts as they are is handed to other threads
//! with a clone of the database. A write cancels work on older texts; who asked for that work learns it.

use ropey::Rope;
use salsa::{Cancelled, Setter};
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, mpsc};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Orders for the thread. When the last clone is dropped the thread ends.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    orders: mpsc::Sender<Order>,
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
    Work(Arc<str>, Work),
}

impl Engine {
    /// Starts the thread. Work runs on the blocking threads of the current runtime.
    pub(crate) fn start() -> Engine {
        let (orders, queue) = mpsc::channel();
        let runtime = Handle::current();
        std::thread::spawn(move || Owner { runtime, db: Database::default(), files: HashMap::new() }.serve(&queue));
        Engine { orders }
    }

    /// Gives a document this text.
    pub(crate) fn write(&self, document: Arc<str>, text: Rope) {
        self.order(Order::Write(document, text));
    }

    /// Drops the text of a document.
    pub(crate) fn forget(&self, document: Arc<str>) {
        self.order(Order::Forget(document));
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
        self.order(Order::Work(document, work));
        Answer(answer)
    }

    fn order(&self, order: Order) {
        // The thread lives as long as anybody can order.
        let _ = self.orders.send(order);
    }
}

struct Owner {
    runtime: Handle,
    db: Database,
    files: HashMap<Arc<str>, File>,
}

impl Owner {
    fn serve(mut self, queue: &mpsc::Receiver<Order>) {
        while let Ok(order) = queue.recv() {
            match order {
                Order::Write(document, text) => self.write(document, &text),
                Order::Forget(document) => self.forget(&document),
                Order::Work(document, work) => self.hand_out(&document, work),
            }
        }
    }

    fn write(&mut self, document: Arc<str>, text: &Rope) {
        let text = Arc::from(String::from(text));
        match self.files.get(&document) {
            Some(&file) => _ = file.set_text(&mut self.db).to(text),
            None => _ = self.files.insert(document, File::new(&self.db, text, Options::default())),
        }
    }

    /// The database cannot drop a file, but without its text nothing of it is left.
    fn forget(&mut self, document: &str) {
        if let Some(&file) = self.files.get(document) {
            file.set_text(&mut self.db).to("".into());
        }
    }

    fn hand_out(&self, document: &str, work: Work) {
        if let Some(&file) = self.files.get(document) {
            let db = self.db.clone();
            self.runtime.spawn_blocking(move || work(&db, file));
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
