//! Receives notifications.

use std::env;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::StringRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sqlx::PgPool;
use standardwebhooks::Webhook;
use tokio::net::TcpListener;

struct Shop {
    webhook: Webhook,
    database: PgPool,
    allow_test_mode: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secret = env::var("NOTIFY_SECRET").unwrap_or_default();
    let key = secret.strip_prefix("whsec_");
    let key = key.and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    // Anyone can sign with an empty key.
    if !key.is_some_and(|key| (24..=64).contains(&key.len())) {
        return Err(
            "set NOTIFY_SECRET to the proxy's notify_secret: whsec_ and 24 to 64 bytes in base64"
                .into(),
        );
    }
    let shop = Shop {
        webhook: Webhook::new(&secret)?,
        database: PgPool::connect(&env::var("DATABASE_URL")?).await?,
        allow_test_mode: env::var("ALLOW_TEST_MODE").is_ok_and(|value| value == "true"),
    };
    let routes = Router::new()
        .route("/notifications", post(notification))
        .layer(DefaultBodyLimit::max(64 * 1024))
        .with_state(Arc::new(shop));
    let listener = TcpListener::bind(("127.0.0.1", env::var("PORT")?.parse()?)).await?;
    Ok(axum::serve(listener, routes).await?)
}

fn refused(status: StatusCode, reason: String) -> (StatusCode, String) {
    eprintln!("notification refused: {reason}");
    (status, reason)
}

async fn notification(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    body: Result<String, StringRejection>,
) -> Result<StatusCode, (StatusCode, String)> {
    let body = body.map_err(|error| refused(error.status(), error.body_text()))?;
    let verified = shop.webhook.verify(body.as_bytes(), &headers);
    verified.map_err(|error| refused(StatusCode::UNAUTHORIZED, error.to_string()))?;
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok());
    let question = sqlx::query_scalar("SELECT receive_notification($1, $2, $3)")
        .bind(id)
        .bind(body)
        .bind(shop.allow_test_mode)
        .fetch_one(&shop.database)
        .await;
    let question: Option<String> = question.map_err(|error| {
        eprintln!("{error}");
        (StatusCode::INTERNAL_SERVER_ERROR, String::new())
    })?;
    if let Some(question) = question {
        eprintln!("notification {id:?} needs a person: {question}");
    }
    Ok(StatusCode::NO_CONTENT)
}
