//! How many requests each caller has made of late, and how many are left.

use std::{num::NonZeroU32, time::Duration};

use domain::{ApiTokenId, DirectoryId, UserId};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock,
    middleware::StateInformationMiddleware,
};
use http::{HeaderMap, HeaderName, HeaderValue};

/// Requests a minute, unless somebody says otherwise.
pub(crate) const REQUESTS_A_MINUTE: NonZeroU32 = match NonZeroU32::new(600) {
    Some(number) => number,
    None => NonZeroU32::MIN,
};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    Person(UserId),
    Token(ApiTokenId),
    Directory(DirectoryId),
}

/// Counts the requests of the last minute. A bucket: it is full at first and fills up evenly.
pub(crate) struct RateLimit {
    limiter: DefaultKeyedRateLimiter<Caller, StateInformationMiddleware>,
    a_minute: NonZeroU32,
}

impl RateLimit {
    /// Lets each caller make so many requests a minute.
    pub(crate) fn of(a_minute: NonZeroU32) -> Self {
        let limiter = RateLimiter::keyed(Quota::per_minute(a_minute));
        Self { limiter: limiter.with_middleware(), a_minute }
    }

    /// How many requests are left after this one, or how long to wait before it.
    pub(crate) fn count(&self, caller: Caller) -> Result<u32, Duration> {
        match self.limiter.check_key(&caller) {
            Ok(state) => Ok(state.remaining_burst_capacity()),
            Err(until) => Err(until.wait_time_from(self.limiter.clock().now())),
        }
    }

    /// The seconds until nothing of the last minute counts any more, if nobody asks.
    fn reset(&self, remaining: u32) -> u64 {
        let used = u64::from(self.a_minute.get().saturating_sub(remaining));
        (used * 60).div_ceil(u64::from(self.a_minute.get()))
    }

    pub(crate) fn state(&self, remaining: u32) -> HeaderMap {
        let number = |number: u64| HeaderValue::from(number);
        HeaderMap::from_iter([
            (LIMIT, number(self.a_minute.get().into())),
            (REMAINING, number(remaining.into())),
            (RESET, number(self.reset(remaining))),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_an_allowance_of_their_own() {
        let limit = RateLimit::of(NonZeroU32::new(2).unwrap());
        let (one, other) = (Caller::Person(UserId(1)), Caller::Token(ApiTokenId(1)));
        assert_eq!(limit.count(one), Ok(1));
        assert_eq!(limit.count(one), Ok(0));
        let wait = limit.count(one).unwrap_err();
        assert!(wait > Duration::from_secs(29) && wait <= Duration::from_secs(30), "{wait:?}");
        assert_eq!(limit.count(other), Ok(1));
        assert_eq!((limit.reset(2), limit.reset(1), limit.reset(0)), (0, 30, 60));
    }
}
