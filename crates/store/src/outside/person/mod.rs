//! What is somebody's, in every table: taken away as a file, and gone when they are erased.

mod classes;
mod export;

pub use self::{
    classes::{CLASSES, Classes, Fate},
    export::write,
};
