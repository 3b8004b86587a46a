//! A provider on loopback: discovery, keys and tokens, which are signed as real ones are.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use axum::{
    Form, Json, Router,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{OwnedRwLockWriteGuard, RwLock},
};

pub(super) struct Provider {
    pub(super) issuer: String,
    state: Arc<Answering>,
}

struct Answering {
    issuer: String,
    key: SigningKey,
    asked: AtomicUsize,
    is_down: AtomicBool,
    /// Answers wait for it.
    held: Arc<RwLock<()>>,
    /// What it says of itself beside the rest, or in its place.
    said: Mutex<Value>,
}

#[derive(Deserialize)]
struct Exchange {
    code: String,
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

impl Answering {
    fn signed(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
        let signature: Signature = self.key.sign(signed.as_bytes());
        format!("{signed}.{}", encoded(signature.to_bytes()))
    }
}

impl Provider {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Answering {
            issuer: issuer.clone(),
            key: SigningKey::from_slice(&[5; 32]).unwrap(),
            asked: AtomicUsize::new(0),
            is_down: AtomicBool::new(false),
            held: Arc::default(),
            said: Mutex::new(json!({})),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discover))
            .route("/keys", get(keys))
            .route("/token", post(exchange))
            .with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, state }
    }

    /// How often it was asked who it is.
    pub(super) fn asked(&self) -> usize {
        self.state.asked.load(Ordering::Relaxed)
    }

    pub(super) fn set_down(&self, is_down: bool) {
        self.state.is_down.store(is_down, Ordering::Relaxed);
    }

    /// Has it not say who it is, until this is dropped.
    pub(super) async fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.state.held).write_owned().await
    }

    /// Has it say something else of itself.
    pub(super) fn say(&self, said: Value) {
        *self.state.said.lock().unwrap() = said;
    }

    /// The code that is exchanged for a token with these claims.
    pub(super) fn code(claims: &Value) -> String {
        encoded(claims.to_string())
    }

    /// A logout token.
    pub(super) fn logout_token(&self, claims: &Value) -> String {
        self.state.signed(&json!({ "alg": "ES256", "kid": "one", "typ": "logout+jwt" }), claims)
    }

    /// A token with a header of its own.
    pub(super) fn token(&self, header: &Value, claims: &Value) -> String {
        self.state.signed(header, claims)
    }
}

async fn discover(State(state): State<Arc<Answering>>) -> Result<Json<Value>, StatusCode> {
    state.asked.fetch_add(1, Ordering::Relaxed);
    let _held = state.held.read().await;
    if state.is_down.load(Ordering::Relaxed) {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    let issuer = &state.issuer;
    let mut said = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    });
    let other = state.said.lock().unwrap().clone();
    said.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
    Ok(Json(said))
}

async fn keys(State(state): State<Arc<Answering>>) -> Json<Value> {
    let point = state.key.verifying_key().to_encoded_point(false);
    Json(json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "one",
        "x": encoded(point.x().unwrap()), "y": encoded(point.y().unwrap()),
    }] }))
}

async fn exchange(
    State(state): State<Arc<Answering>>,
    Form(Exchange { code }): Form<Exchange>,
) -> Json<Value> {
    let claims = BASE64_URL_SAFE_NO_PAD.decode(code).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    let token = state.signed(&json!({ "alg": "ES256", "kid": "one" }), &claims);
    Json(json!({ "access_token": "access", "token_type": "Bearer", "id_token": token }))
}
