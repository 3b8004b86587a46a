//! `docs/command-line.md` is made of the command line itself, and this holds it to that.

use std::{env, fmt::Write, fs, path::Path};

use clap::{Arg, Command, CommandFactory};

use server::cli::Cli;

/// What the page begins with.
const HEAD: &str = "# The command line\n\n\
    Made from the program itself: `concord <command> --help` says the same. `concord completions \
    bash` prints completions, `concord man` a man page.\n\n\
    Commands that work on a database take it from `--data-dir` or `--database-url`; commands that \
    print results print JSON with `--json`.\n\n";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut command = Cli::command();
    command.build();
    page.push_str("## Exit codes\n\n| Code | |\n| --- | --- |\n");
    let codes = command.get_after_help().unwrap().to_string();
    for line in codes.lines().skip(1) {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        writeln!(page, "| {code} | {meaning} |").unwrap();
    }
    for subcommand in command.get_subcommands() {
        add(&mut page, "concord", subcommand);
    }
    page
}

/// A command, or those that it has.
fn add(page: &mut String, above: &str, command: &Command) {
    let name = format!("{above} {}", command.get_name());
    if command.get_name() == "help" {
        return;
    }
    if command.has_subcommands() {
        return command.get_subcommands().for_each(|inner| add(page, &name, inner));
    }
    writeln!(page, "\n## `{name}`\n").unwrap();
    if let Some(about) = command.get_about() {
        writeln!(page, "{about}\n").unwrap();
    }
    page.push_str("| | |\n| --- | --- |\n");
    for argument in command.get_arguments().filter(|it| !it.is_hide_set()) {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        // A line break would end the row.
        let help = help.trim_end_matches('.').replace('\n', " ").replace('|', "\\|");
        writeln!(page, "| `{}` | {help}.{} |", written(argument), beside(argument)).unwrap();
    }
    if let Some(below) = command.get_after_help() {
        writeln!(page, "\n{below}").unwrap();
    }
}

/// An argument as it is written.
fn written(argument: &Arg) -> String {
    argument.to_string().replace('|', "\\|")
}

/// What it is by itself, and which variable of the environment stands for it.
fn beside(argument: &Arg) -> String {
    let mut text = String::new();
    if !argument.get_action().takes_values() {
        return text;
    }
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() {
        write!(text, " Default: `{}`.", defaults.join(",")).unwrap();
    }
    if let Some(variable) = argument.get_env() {
        write!(text, " Also `{}`.", variable.to_string_lossy()).unwrap();
    }
    text
}

#[test]
fn the_page_of_the_command_line_is_what_the_program_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command-line.md");
    let page = page();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(page == golden, "docs/command-line.md is not up to date: UPDATE_GOLDEN=1 writes it");
}
