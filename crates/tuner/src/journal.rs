//! The results of an earlier search for the same programs on the same GPU, so that an interrupted one resumes. They are
//! in the cache of compiled kernels.

use crate::device::Device;
use crate::search::{Batch, Trial};
use crate::variant::Variant;
use tile_backend::cuda::cache::Cache;

/// The finished batches of a search.
pub struct Journal {
    cache: Option<Cache>,
    key: Vec<u8>,
    finished: Vec<(Batch, Vec<Trial>)>,
}

impl Journal {
    /// Opens the journal of a search that takes `seconds` for each candidate. A fresh one starts without results.
    pub fn open(variants: &[Variant], device: &Device, seconds: f64, is_fresh: bool) -> Journal {
        let cache = Cache::of_user();
        let jobs: Vec<_> = variants.iter().map(|variant| &variant.job).collect();
        let about = ("tile tune", env!("CARGO_PKG_VERSION"), &device.name, &device.compiler, seconds, jobs);
        // Jobs are plain data. If they could not be written, nothing would be resumed.
        let key = serde_json::to_vec(&about).unwrap_or_default();
        let stored = cache.as_ref().filter(|_| !is_fresh && !key.is_empty()).and_then(|cache| cache.get(&key));
        let finished = stored.and_then(|stored| serde_json::from_slice(&stored).ok()).unwrap_or_default();
        Journal { cache, key, finished }
    }

    /// The recorded trials of a batch.
    pub fn trials(&self, batch: &Batch) -> Option<Vec<Trial>> {
        self.finished.iter().find(|(finished, _)| finished == batch).map(|(_, trials)| trials.clone())
    }

    /// Whether an interrupted search resumes.
    pub fn is_stored(&self) -> bool {
        self.cache.is_some()
    }

    /// Adds to an error that the search can be resumed, if a step is finished.
    pub(crate) fn with_help(&self, error: String) -> String {
        if self.finished.is_empty() || !self.is_stored() {
            return error;
        }
        format!("{error}\n  help: the finished steps are kept; run the same command again to resume")
    }

    /// Records the trials of a batch. If they cannot be stored, the search does not resume.
    pub fn record(&mut self, batch: &Batch, trials: &[Trial]) {
        self.finished.push((batch.clone(), trials.to_vec()));
        if let (Some(cache), Ok(text)) = (&self.cache, serde_json::to_vec(&self.finished)) {
            let _ = cache.put(&self.key, &text);
        }
    }
}
