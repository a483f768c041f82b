//! Saves the buffers of a job as files.

use super::run::JobRun;
use tile_launch::{LaunchError, Value, npy};

/// The maximum total size of the files of a report in bytes. It is sent as one message.
const MAX_SAVED: usize = 1000 << 20;

impl JobRun<'_> {
    /// The `.npy` files of the buffers that the job saves.
    pub(super) fn saved(&self, after: &[(String, Value)]) -> Result<Vec<(String, Vec<u8>)>, Box<LaunchError>> {
        let problem = |message: String| Box::new(LaunchError { range: 0..0, message, help: None });
        let mut left = MAX_SAVED;
        let mut one = |name: &String| match after.iter().find(|(known, _)| known == name) {
            Some((_, Value::Buffer(buffer))) => {
                let file = npy::write(buffer).map_err(|why| problem(format!("cannot save `%{name}`: {why}")))?;
                let too_large = || problem(format!("cannot save `%{name}`: the files exceed the limit of 1000 MiB"));
                left = left.checked_sub(file.len()).ok_or_else(too_large)?;
                Ok((name.clone(), file))
            }
            Some(_) => Err(problem(format!("cannot save `%{name}`: it is a number, not a buffer"))),
            None => Err(problem(format!("cannot save `%{name}`: unknown parameter"))),
        };
        self.job.save.iter().map(&mut one).collect()
    }
}
