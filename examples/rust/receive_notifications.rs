//! Receives notifications.

use std::env;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
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
    let shop = Shop {
        webhook: Webhook::new(&env::var("NOTIFY_SECRET")?)?,
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

async fn notification(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    body: String,
) -> Result<StatusCode, StatusCode> {
    let verified = shop.webhook.verify(body.as_bytes(), &headers);
    verified.map_err(|_| StatusCode::BAD_REQUEST)?;
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok());
    let question = sqlx::query_scalar("SELECT receive_notification($1, $2::jsonb, $3)")
        .bind(id)
        .bind(body)
        .bind(shop.allow_test_mode)
        .fetch_one(&shop.database)
        .await;
    let question: Option<String> = question.map_err(|error| {
        eprintln!("{error}");
        StatusCode::INTERNAL_SERVER_ERROR
    })?;
    if let Some(question) = question {
        eprintln!("notification {id:?} needs a person: {question}");
    }
    Ok(StatusCode::NO_CONTENT)
}
