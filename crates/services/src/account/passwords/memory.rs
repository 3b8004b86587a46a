//! The memory that passwords are hashed in. It is used again and again, so that a flood of sign-ins takes
//! none that the first sign-in has not taken.

use std::{
    mem::take,
    sync::{Mutex, PoisonError},
};

use argon2::{
    Algorithm, Argon2, Block, Params, PasswordHash, Version,
    password_hash::{Error as HashError, Output, ParamsString, Salt, SaltString},
};
use rand::RngCore;

/// Blocks to fill, while nobody does; who comes meanwhile has some made.
#[derive(Default)]
pub(super) struct Memory(Mutex<Vec<Block>>);

impl Memory {
    /// The password's hash, with a salt of its own, as a PHC string.
    pub(super) fn hash(&self, password: &str) -> Result<String, HashError> {
        let mut salt = [0; 16];
        rand::rng().fill_bytes(&mut salt);
        let salt = SaltString::encode_b64(&salt)?;
        // What OWASP recommends first for 19 MiB.
        let params = Params::new(19_456, 2, 1, None)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params)?,
            salt: Some(salt.as_salt()),
            hash: Some(self.fill(password, salt.as_salt(), params, Params::DEFAULT_OUTPUT_LEN)?),
        };
        Ok(hash.to_string())
    }

    /// Whether a hash is this password's, by the hash's own parameters. What differs takes no less time.
    pub(super) fn verify(&self, password: &str, hash: &str) -> Result<bool, HashError> {
        let hash = PasswordHash::new(hash)?;
        let (Some(salt), Some(expected)) = (hash.salt, hash.hash) else {
            return Err(HashError::PhcStringField);
        };
        let params = Params::try_from(&hash)?;
        Ok(self.fill(password, salt, params, expected.len())? == expected)
    }

    fn fill(
        &self,
        password: &str,
        salt: Salt<'_>,
        params: Params,
        length: usize,
    ) -> Result<Output, HashError> {
        let mut bytes = [0; Salt::MAX_LENGTH];
        let salt = salt.decode_b64(&mut bytes)?;
        let mut blocks = take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        blocks.resize(params.block_count(), Block::default());
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let filled = Output::init_with(length, |output| {
            let password = password.as_bytes();
            Ok(argon2.hash_password_into_with_memory(password, salt, output, &mut blocks)?)
        });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = blocks;
        filled
    }
}

#[cfg(test)]
mod tests {
    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;

    #[test]
    fn hashes_are_those_of_the_crate_whatever_the_memory_was_used_for() {
        let (memory, theirs) = (Memory::default(), Argon2::default());
        let salt = SaltString::encode_b64(b"sixteen bytes !!").unwrap();
        for password in ["correct horse", "correct house", ""] {
            let ours = memory.hash(password).unwrap();
            let parsed = PasswordHash::new(&ours).unwrap();
            theirs.verify_password(password.as_bytes(), &parsed).unwrap();
            theirs.verify_password(b"another", &parsed).unwrap_err();
            let made = theirs.hash_password(password.as_bytes(), &salt).unwrap().to_string();
            assert!(memory.verify(password, &made).unwrap());
            assert!(!memory.verify("another", &made).unwrap());
        }
    }

    #[test]
    fn a_hash_of_other_parameters_is_verified_by_its_own() {
        let params = Params::new(8_192, 3, 1, Some(24)).unwrap();
        let small = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let salt = SaltString::encode_b64(b"sixteen bytes !!").unwrap();
        let made = small.hash_password(b"correct horse", &salt).unwrap().to_string();
        let memory = Memory::default();
        assert!(memory.verify("correct horse", &made).unwrap());
        assert!(!memory.verify("correct house", &made).unwrap());
        assert!(memory.verify("correct horse", "not a hash").is_err());
    }
}
