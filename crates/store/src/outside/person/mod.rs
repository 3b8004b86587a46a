//! What is somebody's, in every table: taken away as a file, and gone when they are erased.

mod classes;
mod export;
mod withheld;

pub use self::{
    classes::{CLASSES, Classes, Fate},
    export::write,
};
