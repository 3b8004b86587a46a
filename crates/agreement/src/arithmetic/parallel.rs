//! The same task for many numbers: on all cores with the feature `parallel`, else one by one.

/// What a task returns for 0, 1, 2 and so on, in this order.
#[cfg(feature = "parallel")]
pub(crate) fn map<T: Send>(tasks: usize, task: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    use rayon::prelude::*;

    (0..tasks).into_par_iter().map(task).collect()
}

/// What a task returns for 0, 1, 2 and so on, in this order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map<T>(tasks: usize, task: impl Fn(usize) -> T) -> Vec<T> {
    (0..tasks).map(task).collect()
}

/// How many tasks run at a time.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return 1;
}
