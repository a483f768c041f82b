//! Answers requests that the protocol library does not answer: those with an unknown method that begins with `$/`. A
//! server may ignore such notifications, but not such requests.

use std::pin::Pin;
use std::task::{Context, Poll};
use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_service::Service;

/// A service that answers every request.
pub(crate) struct Answering<S>(pub(crate) S);

impl<S> Service<Request> for Answering<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Option<Response>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = request.id().cloned();
        let answered = self.0.call(request);
        Box::pin(async move {
            let response = answered.await?;
            Ok(response.or_else(|| id.map(|id| Response::from_error(id, Error::method_not_found()))))
        })
    }
}
