//! Tests of the server through its protocol.

mod client;
mod conversations;
mod features;
mod protocol;
mod random;
mod server;
mod shown;
mod stress;
mod text;
