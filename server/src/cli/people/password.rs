//! Passwords on the command line: read from standard input, or made up.

use std::io;

use rand::Rng;

/// No letters or digits that look like others: 32, so that each stands for five bits.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The first line of standard input.
pub(super) fn read() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Twenty random characters, a hundred bits, in groups that can be typed.
pub(super) fn generate() -> String {
    let mut random = rand::rng();
    let mut password = String::new();
    for place in 0..20 {
        if place > 0 && place % 5 == 0 {
            password.push('-');
        }
        let letter = ALPHABET.get(random.random_range(0..ALPHABET.len())).copied();
        password.push(letter.map_or('a', char::from));
    }
    password
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_passwords_are_good_enough_and_never_the_same() {
        let (one, other) = (generate(), generate());
        assert_ne!(one, other);
        assert_eq!(one.len(), 23);
        domain::check_password(&one, "somebody@example.org").unwrap();
    }
}
