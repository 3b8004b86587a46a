//! Everything that addresses ask for: read from their query strings, and written to them.

pub(crate) mod address;
mod disagreements;
mod gold;
pub(crate) mod own_keys;
mod own_work;
mod positions;
mod rules;
pub(crate) mod switches;
mod walk;
mod workload;

pub(crate) use disagreements::{
    disagreements_address, export_address, of_pair, pair_page_address, read_disagreements,
    sorted_by, with_field,
};
pub(crate) use gold::{
    comparison_address, gold_address, gold_document_address, read_comparison, read_gold,
};
pub(crate) use own_work::OwnList;
pub(crate) use positions::{
    PairLook, PairPart, consensus_address, parts_address, positions_address, read_consensus,
    read_look, read_positions, read_sorting,
};
pub(crate) use rules::rule_address;
pub(crate) use switches::*;
pub(crate) use walk::{
    alike_address, list_address, read_decision, read_walk, review_address, walk_address,
    walk_on_address, write_walk,
};
pub(crate) use workload::{
    GIVE, assignments_address, board_address, named_labeler, read_assignments, read_board,
};
